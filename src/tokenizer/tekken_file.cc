#include "tokenizer/tekken_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/base64.h"
#include "base/json_cursor.h"
#include "base/text.h"
#include "tokenizer/pre_tokenizer_table.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/token_index.h"
#include "tokenizer/vocabulary_limits.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSpecials = 10'000;  // real files have 1,000
constexpr std::size_t kSpecialBytes = 24;     // of a name, on average at most

// Of bpe_ranks, which write next to nothing around a token. A real file has 11 bytes a token; with
// less than these, what is read would be more than twice as large as the file.
constexpr std::size_t kLeastBytesPerRank = 10;
constexpr std::size_t kFreeBytes = 64U << 10U;

// Those of the files that do not list theirs.
constexpr std::string_view kOldSpecials[] = {
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
};

struct Config {
  std::optional<std::string> pattern;
  std::optional<std::int64_t> vocabulary_size;
  std::optional<std::int64_t> specials;
};

Error error_at(std::string_view place, std::string_view message) {
  return {ErrorKind::kConfig, fmt::format("{}: {}", place, message)};
}

/// Where the parts of a file begin, to be read in an order that suits.
struct Places {
  std::optional<JsonCursor> config;
  std::optional<JsonCursor> vocab;
  std::optional<JsonCursor> ranks;
  std::optional<JsonCursor> specials;
};

Result<Places> find_places(std::string_view bytes) {
  Places places;
  JsonCursor json(bytes);
  json.enter_object();
  while (const auto name = json.next_member()) {
    std::optional<JsonCursor>* place = nullptr;
    if (*name == "config") place = &places.config;
    if (*name == "vocab") place = &places.vocab;
    if (*name == "bpe_ranks") place = &places.ranks;
    if (*name == "special_tokens" && json.kind() != JsonCursor::Kind::kNull) {
      place = &places.specials;
    }
    if (place != nullptr && place->has_value()) json.fail("it is there twice");
    if (place != nullptr) *place = json;
    json.skip();
  }
  if (Status end = json.finish(); !end) return end.error();
  if (!places.config) return error_at("/config", "it is missing");
  if (places.vocab.has_value() == places.ranks.has_value()) {
    return error_at("/vocab", "there has to be either this or /bpe_ranks");
  }
  return places;
}

Result<Config> read_config(JsonCursor json) {
  Config config;
  json.enter_object();
  while (const auto name = json.next_member()) {
    if (*name == "pattern") {
      if (const auto pattern = json.text()) config.pattern = std::string(*pattern);
    } else if (*name == "default_vocab_size") {
      config.vocabulary_size = json.integer();
    } else if (*name == "default_num_special_tokens") {
      config.specials = json.integer();
    } else {
      json.skip();
    }
  }
  if (json.failed()) return json.error();
  if (!config.pattern) return error_at("/config/pattern", "it is missing");
  const auto is_size = [](std::optional<std::int64_t> size) {
    return size && *size >= 0 && *size <= static_cast<std::int64_t>(kMaxVocabularyTokens);
  };
  if (!is_size(config.vocabulary_size)) {
    return error_at("/config/default_vocab_size", "it is missing or out of range");
  }
  if (!is_size(config.specials) || *config.specials > *config.vocabulary_size ||
      *config.specials > static_cast<std::int64_t>(kMaxSpecials)) {
    return error_at("/config/default_num_special_tokens", "it is missing or out of range");
  }
  return config;
}

/// Takes tokens by rank, those that come into the vocabulary.
class Ranks {
 public:
  Ranks(std::size_t vocabulary_size, std::size_t specials, std::size_t file_bytes,
        TokenList& tokens)
      : count_(vocabulary_size - specials),
        specials_(specials),
        max_(max_tokens_in(file_bytes)),
        tokens_(tokens) {}

  // With room for the special tokens, which come later.
  void reserve(std::size_t ranks, std::size_t text_bytes) {
    tokens_.reserve(specials_ + std::min({ranks, count_, max_}),
                    specials_ * kSpecialBytes + text_bytes);
  }

  Status add(std::int64_t rank, std::string_view base64) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= max_) {
      return wrong(fmt::format("rank {} is too high for this file", rank));
    }
    const auto id = static_cast<std::size_t>(rank);
    if (id >= count_) return {};
    bytes_.clear();
    if (base64.size() > 2 * kMaxTokenBytes || !append_base64(bytes_, base64)) {
      return wrong(quoted_token(base64) + " is no base64");
    }
    if (bytes_.empty() || bytes_.size() > kMaxTokenBytes) {
      return wrong(fmt::format("a token of {} bytes", bytes_.size()));
    }
    if (id >= tokens_.size()) tokens_.resize(id + 1);
    if (!tokens_[id].bytes.empty()) return wrong(fmt::format("rank {} is there twice", rank));
    tokens_.set(id, {bytes_});
    return {};
  }

 private:
  static Error wrong(std::string message) { return {ErrorKind::kConfig, std::move(message)}; }

  std::size_t count_;
  std::size_t specials_;
  std::size_t max_;
  TokenList& tokens_;
  std::string bytes_;
};

Status read_vocab(JsonCursor json, std::size_t file_bytes, Ranks& ranks) {
  ranks.reserve(kMaxVocabularyTokens,
                file_bytes / 8);  // an entry has more names and digits than bytes
  json.enter_array();
  while (json.next_element()) {
    std::optional<std::int64_t> rank;
    std::optional<std::string> base64;
    json.enter_object();
    while (const auto name = json.next_member()) {
      if (*name == "rank") {
        rank = json.integer();
      } else if (*name == "token_bytes") {
        if (const auto text = json.text()) base64 = std::string(*text);
      } else {
        json.skip();
      }
    }
    if (json.failed()) break;
    if (!rank || !base64) {
      json.fail("an entry without rank or token_bytes ends here");
    } else if (Status added = ranks.add(*rank, *base64); !added) {
      json.fail(added.error().message);
    }
  }
  if (json.failed()) return json.error();
  return {};
}

// Takes what stands before the next blank off `rest`.
std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

// Of words in base64 with blanks between them, and what little else is there.
std::size_t bytes_in(std::string_view words) {
  const auto count = [words](char c) {
    return static_cast<std::size_t>(std::count(words.begin(), words.end(), c));
  };
  return (words.size() - count(' ')) / 4 * 3 + 3 - std::min(count('='), words.size() / 2);
}

// `lines` as they stand in the file, with their ends as \n.
Status read_bpe_ranks(std::string_view lines, Ranks& ranks) {
  lines = lines.substr(1, lines.size() - 2);  // the quotes
  const auto words = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), ' '));
  if (words * kLeastBytesPerRank > lines.size() + kFreeBytes) {
    return error_at("/bpe_ranks", fmt::format("{} tokens in {} bytes", words, lines.size()));
  }
  ranks.reserve(words, bytes_in(lines));
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find("\\n"), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 2, lines.size()));
    if (line.empty()) continue;
    const std::string_view mark = take_word(line);
    const std::string_view digits = take_word(line);
    std::int64_t rank = 0;
    const char* const stop = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), stop, rank);
    if (mark != "!" || read.ec != std::errc() || read.ptr != stop) {
      return error_at("/bpe_ranks", "expected lines of '!', a rank and tokens");
    }
    for (; !line.empty(); ++rank) {
      if (Status added = ranks.add(rank, take_word(line)); !added) {
        return added.error().at(fmt::format("/bpe_ranks: rank {}", rank));
      }
    }
  }
  return {};
}

Status read_ranks(const Places& places, std::size_t file_bytes, Ranks& ranks) {
  if (places.vocab) return read_vocab(*places.vocab, file_bytes, ranks);
  JsonCursor json = *places.ranks;
  if (json.kind() != JsonCursor::Kind::kText) json.fail_expecting("a string");
  const auto lines = json.skip();
  if (!lines) return json.error();
  return read_bpe_ranks(lines->text, ranks);
}

// Puts `name` at its place in front of the ranks.
Status add_special(std::int64_t rank, std::string_view name, std::size_t count, TokenList& tokens) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= count || name.empty()) {
    return Error{ErrorKind::kConfig, fmt::format("special token {} cannot have rank {} of {}",
                                                 quoted_token(name), rank, count)};
  }
  const auto id = static_cast<std::size_t>(rank);
  if (!tokens[id].bytes.empty()) {
    return Error{ErrorKind::kConfig, fmt::format("special token {} is there twice", rank)};
  }
  tokens.set(id, {name, TokenKind::kControl});
  return {};
}

Status read_specials(JsonCursor json, std::size_t count, TokenList& tokens) {
  json.enter_array();
  while (json.next_element()) {
    std::optional<std::int64_t> rank;
    std::optional<std::string> name;
    json.enter_object();
    while (const auto member = json.next_member()) {
      if (*member == "rank") {
        rank = json.integer();
      } else if (*member == "token_str") {
        if (const auto text = json.text()) name = std::string(*text);
      } else {
        json.skip();
      }
    }
    if (json.failed()) break;
    if (!rank || !name) {
      json.fail("an entry without rank or token_str ends here");
    } else if (Status added = add_special(*rank, *name, count, tokens); !added) {
      json.fail(added.error().message);
    }
  }
  if (json.failed()) return json.error();
  return {};
}

void add_old_specials(std::size_t count, TokenList& tokens) {
  for (std::size_t id = 0; id < std::min(count, std::size(kOldSpecials)); ++id) {
    tokens.set(id, {kOldSpecials[id], TokenKind::kControl});
  }
}

void fill_specials(std::size_t count, TokenList& tokens) {
  for (std::size_t id = 0; id < count; ++id) {
    if (!tokens[id].bytes.empty()) continue;
    tokens.set(id, {fmt::format("<SPECIAL_{}>", id), TokenKind::kControl});
  }
}

std::optional<TokenId> find_special(const TokenList& tokens, std::size_t count,
                                    std::string_view name) {
  for (std::size_t id = 0; id < count; ++id) {
    if (tokens[id].bytes == name) return static_cast<TokenId>(id);
  }
  return {};
}

PreTokenizer pre_tokenizer_of(const std::string& pattern) {
  const std::string_view scanner = scanner_of({pattern});
  if (!scanner.empty()) return {std::string(scanner), {}};
  return {"", {pattern}};
}

}  // namespace

Result<VocabularySource> read_tekken(std::string_view bytes) {
  const auto places = find_places(bytes);
  if (!places) return places.error();
  const auto config = read_config(*places->config);
  if (!config) return config.error();
  const auto specials = static_cast<std::size_t>(*config->specials);
  const auto size = static_cast<std::size_t>(*config->vocabulary_size);

  VocabularySource source;
  source.pre_tokenizer = pre_tokenizer_of(*config->pattern);
  source.ignore_merges = true;
  TokenList& tokens = source.tokens;
  Ranks ranks(size, specials, bytes.size(), tokens);
  if (Status read = read_ranks(*places, bytes.size(), ranks); !read) return read.error();
  if (tokens.empty()) return error_at("/vocab", "there are no tokens");
  if (const auto index = TokenIndex::of(tokens); !index) return index.error().at("/vocab");

  tokens.insert_front(specials);
  if (places->specials) {
    if (Status read = read_specials(*places->specials, specials, tokens); !read) {
      return read.error();
    }
  } else {
    add_old_specials(specials, tokens);
  }
  fill_specials(specials, tokens);
  source.bos = find_special(tokens, specials, "<s>");
  source.eos = find_special(tokens, specials, "</s>");
  source.unknown = find_special(tokens, specials, "<unk>");
  source.add_bos = source.bos.has_value();
  return source;
}

}  // namespace pedro
