#include "tokenizer/rank_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/base64.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/vocabulary_limits.h"

namespace pedro {
namespace {

constexpr std::size_t kSpecialBytes = 24;   // reserved per name of a special token
constexpr std::size_t kMostLeftOut = 4096;  // maximum number of unused ranks

// The minimum average for bpe_ranks, which have little overhead per token. Known files have 11
// bytes per token. Below the minimum, the tokens in memory would exceed twice the size of the file.
constexpr std::size_t kLeastBytesPerRank = 10;
constexpr std::size_t kFreeBytes = 64U << 10U;

// Removes the text up to the next space from `rest` and returns it.
std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

// The upper bound of decoded bytes in space-separated base64 words with little other text.
std::size_t bytes_in(std::string_view words) {
  const auto count = [words](char c) {
    return static_cast<std::size_t>(std::count(words.begin(), words.end(), c));
  };
  return (words.size() - count(' ')) / 4 * 3 + 3 - std::min(count('='), words.size() / 2);
}

class BpeRanks {
 public:
  BpeRanks(std::string_view file, RankList& ranks) : file_(file), ranks_(ranks) {}

  // `lines` is the raw text of the file with line ends as \n.
  Status read(std::string_view lines) {
    const auto words = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), ' '));
    if (words * kLeastBytesPerRank > lines.size() + kFreeBytes) {
      return error_at(lines, fmt::format("{} tokens in {} bytes", words, lines.size()));
    }
    ranks_.reserve(words, bytes_in(lines));
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find("\\n"), lines.size());
      PEDRO_RETURN_IF_ERROR(read_line(lines.substr(0, end)));
      lines.remove_prefix(std::min(end + 2, lines.size()));
    }
    return {};
  }

 private:
  Status read_line(std::string_view line) {
    if (line.empty()) return {};
    const std::string_view whole = line;
    const std::string_view mark = take_word(line);
    const std::string_view digits = take_word(line);
    std::int64_t rank = 0;
    const char* const stop = digits.data() + digits.size();
    const auto number = std::from_chars(digits.data(), stop, rank);
    if (mark != "!" || number.ec != std::errc() || number.ptr != stop) {
      return error_at(whole, "expected a line of '!', a rank and tokens");
    }
    for (; !line.empty(); ++rank) {
      const std::string_view word = take_word(line);
      const Status added = ranks_.add(rank, word);
      if (!added) return error_at(word, added.error().message);
    }
    return {};
  }

  Error error_at(std::string_view part, std::string_view message) const {
    return config_error(
        fmt::format("/bpe_ranks: byte {}: {}", part.data() - file_.data(), message));
  }

  std::string_view file_;
  RankList& ranks_;
};

}  // namespace

RankList::RankList(std::size_t kept, std::size_t specials, std::size_t file_bytes,
                   TokenList& tokens)
    : kept_(kept), specials_(specials), end_(max_tokens_in(file_bytes)), tokens_(tokens) {}

void RankList::reserve(std::size_t ranks, std::size_t text_bytes) {
  end_ = std::min(end_, ranks + kMostLeftOut);
  tokens_.reserve(specials_ + std::min(kept_, end_), specials_ * kSpecialBytes + text_bytes);
}

Status RankList::add(std::int64_t rank, std::string_view base64) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= end_) {
    return config_error(fmt::format("rank {} is too high for this file", rank));
  }
  const auto id = static_cast<std::size_t>(rank);
  if (id >= kept_) return {};
  bytes_.clear();
  if (base64.size() > 2 * kMaxTokenBytes || !append_base64(bytes_, base64)) {
    return config_error(quoted_token(base64) + " is not base64");
  }
  if (bytes_.empty() || bytes_.size() > kMaxTokenBytes) {
    return config_error(fmt::format("a token of {} bytes", bytes_.size()));
  }
  if (id >= tokens_.size()) tokens_.resize(id + 1);
  if (!tokens_[id].bytes.empty()) return config_error(fmt::format("rank {} appears twice", rank));
  tokens_.set(id, {bytes_});
  return {};
}

Status read_bpe_ranks(JsonCursor json, std::string_view file, RankList& ranks) {
  if (json.kind() != JsonCursor::Kind::kText) json.fail_expecting("a string");
  const auto value = json.skip();
  if (!value) return json.error();
  return BpeRanks(file, ranks).read(value->text.substr(1, value->text.size() - 2));
}

}  // namespace pedro
