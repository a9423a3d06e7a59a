#include "tokenizer/tiktoken_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "tokenizer/quoted_token.h"
#include "tokenizer/rank_list.h"
#include "tokenizer/token_index.h"
#include "tokenizer/vocabulary_limits.h"

namespace pedro {
namespace {

constexpr std::string_view kEndOfText = "<|endoftext|>";

Error error_in(std::size_t line, std::string_view message) {
  return {ErrorKind::kConfig, fmt::format("{}: {}", line, message)};
}

// Removes the first line from `rest` and returns it without its "\n" or "\r\n".
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Status read_line(std::string_view line, RankList& ranks) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return config_error("expected base64, a blank and a rank");
  const std::string_view digits = line.substr(space + 1);
  std::size_t rank = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, rank);
  if (read.ec == std::errc::invalid_argument || read.ptr != end) {
    return config_error(quoted_token(digits) + " is not a rank");
  }
  if (read.ec != std::errc() || rank >= ranks.end()) {
    return config_error(fmt::format("rank {} is too high for this file", quoted_token(digits)));
  }
  return ranks.add(static_cast<std::int64_t>(rank), line.substr(0, space));
}

Status add_specials(const std::vector<NamedToken>& specials, VocabularySource& source) {
  for (const NamedToken& special : specials) {
    const auto id = static_cast<std::size_t>(special.id);
    if (special.id < 0 || id >= kMaxVocabularyTokens || special.name.empty()) {
      return Error{ErrorKind::kConfig, fmt::format("special token {} cannot be token {}",
                                                   quoted_token(special.name), special.id)};
    }
    if (id >= source.tokens.size()) source.tokens.resize(id + 1);
    if (!source.tokens[id].bytes.empty()) {
      return Error{ErrorKind::kConfig,
                   fmt::format("special token {} is token {}, as is {}", quoted_token(special.name),
                               special.id, quoted_token(source.tokens[id].bytes))};
    }
    source.tokens.set(id, {special.name, TokenKind::kControl});
    if (special.name == kEndOfText) source.eos = special.id;
  }
  return {};
}

}  // namespace

Result<VocabularySource> read_tiktoken(std::string_view bytes, const RankFileRules& rules) {
  VocabularySource source;
  source.symbols = Symbols::kBytes;
  source.pre_tokenizer = rules.pre_tokenizer;
  source.ignore_merges = true;
  const std::size_t max_tokens = max_tokens_in(bytes.size());
  const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  source.tokens.reserve(std::min(lines + 1, max_tokens), bytes.size() / 4 * 3);
  RankList ranks(max_tokens, 0, bytes.size(), source.tokens);
  std::size_t number = 0;
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::string_view line = take_line(rest);
    ++number;
    if (line.empty()) continue;
    if (Status read = read_line(line, ranks); !read) {
      return error_in(number, read.error().message);
    }
  }
  if (source.tokens.empty()) return error_in(1, "there are no tokens");
  PEDRO_RETURN_IF_ERROR(TokenIndex::of(source.tokens));
  PEDRO_RETURN_IF_ERROR(add_specials(rules.specials, source));
  return source;
}

}  // namespace pedro
