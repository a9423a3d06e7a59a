#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/json_cursor.h"
#include "base/text.h"
#include "tokenizer/pre_tokenizer_table.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/rank_list.h"
#include "tokenizer/token_index.h"
#include "tokenizer/vocabulary_limits.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

// The special tokens of files that do not list them.
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

/// The positions of the parts of a file, to read them in a suitable order.
struct TekkenPlaces {
  std::optional<JsonCursor> config;
  std::optional<JsonCursor> vocab;
  std::optional<JsonCursor> ranks;
  std::optional<JsonCursor> specials;
};

Result<TekkenPlaces> find_tekken_places(std::string_view bytes) {
  TekkenPlaces places;
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
    if (place != nullptr && place->has_value()) json.fail("it appears twice");
    if (place != nullptr) *place = json;
    json.skip();
  }
  PEDRO_RETURN_IF_ERROR(json.finish());
  if (!places.config) return config_error("/config", "it is missing");
  if (places.vocab.has_value() == places.ranks.has_value()) {
    return config_error("/vocab", "expected either this or /bpe_ranks");
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
  if (!config.pattern) return config_error("/config/pattern", "it is missing");
  const auto is_size = [](std::optional<std::int64_t> size) {
    return size && *size >= 0 && *size <= static_cast<std::int64_t>(kMaxVocabularyTokens);
  };
  if (!is_size(config.vocabulary_size)) {
    return config_error("/config/default_vocab_size", "it is missing or out of range");
  }
  if (!is_size(config.specials) || *config.specials > *config.vocabulary_size ||
      *config.specials > static_cast<std::int64_t>(kMaxSpecials)) {
    return config_error("/config/default_num_special_tokens", "it is missing or out of range");
  }
  return config;
}

Status read_vocab(JsonCursor json, std::size_t file_bytes, RankList& ranks) {
  ranks.reserve(kMaxVocabularyTokens,
                file_bytes / 8);  // names and digits exceed the bytes of an entry
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

Status read_ranks(const TekkenPlaces& places, std::string_view file, RankList& ranks) {
  if (places.vocab) return read_vocab(*places.vocab, file.size(), ranks);
  return read_bpe_ranks(*places.ranks, file, ranks);
}

// Sets the special token `rank`; special tokens precede the ranks.
Status add_special(std::int64_t rank, std::string_view name, std::size_t count, TokenList& tokens) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= count || name.empty()) {
    return Error{ErrorKind::kConfig, fmt::format("special token {} cannot have rank {} of {}",
                                                 quoted_token(name), rank, count)};
  }
  const auto id = static_cast<std::size_t>(rank);
  if (!tokens[id].bytes.empty()) {
    return Error{ErrorKind::kConfig, fmt::format("special token {} appears twice", rank)};
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
  PEDRO_TRY(const auto places, find_tekken_places(bytes));
  PEDRO_TRY(const auto config, read_config(*places.config));
  const auto specials = static_cast<std::size_t>(*config.specials);
  const auto size = static_cast<std::size_t>(*config.vocabulary_size);

  VocabularySource source;
  source.pre_tokenizer = pre_tokenizer_of(*config.pattern);
  source.ignore_merges = true;
  TokenList& tokens = source.tokens;
  RankList ranks(size - specials, specials, bytes.size(), tokens);
  PEDRO_RETURN_IF_ERROR(read_ranks(places, bytes, ranks));
  if (tokens.empty()) return config_error("/vocab", "there are no tokens");
  if (const auto index = TokenIndex::of(tokens); !index) return index.error().at("/vocab");

  tokens.insert_front(specials);
  if (places.specials) {
    if (Status read = read_specials(*places.specials, specials, tokens); !read) {
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
