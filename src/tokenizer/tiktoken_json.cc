#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/json_cursor.h"
#include "tokenizer/pre_tokenizer_table.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/rank_list.h"
#include "tokenizer/token_index.h"
#include "tokenizer/vocabulary_limits.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

/// The positions of the parts of a file, to read them in a suitable order.
struct TiktokenPlaces {
  std::optional<JsonCursor> pattern;
  std::optional<JsonCursor> specials;
  std::optional<JsonCursor> ranks;
  std::size_t special_count = 0;
};

Error missing(std::string_view name) {
  return {ErrorKind::kConfig, fmt::format("/{}: it is missing", name)};
}

Result<TiktokenPlaces> find_tiktoken_places(std::string_view bytes) {
  TiktokenPlaces places;
  JsonCursor json(bytes);
  json.enter_object();
  while (const auto name = json.next_member()) {
    std::optional<JsonCursor>* place = nullptr;
    if (*name == "pat_str") place = &places.pattern;
    if (*name == "special_tokens") place = &places.specials;
    if (*name == "bpe_ranks") place = &places.ranks;
    if (place != nullptr && place->has_value()) json.fail("it appears twice");
    if (place != nullptr) *place = json;
    const auto value = json.skip();
    if (place == &places.specials && value) places.special_count = value->parts;
  }
  PEDRO_RETURN_IF_ERROR(json.finish());
  if (!places.pattern) return missing("pat_str");
  if (!places.ranks) return missing("bpe_ranks");
  return places;
}

Result<PreTokenizer> read_pattern(JsonCursor json) {
  const auto text = json.text();
  if (!text) return json.error();
  const std::string pattern(*text);
  const std::string_view scanner = scanner_of({pattern});
  if (!scanner.empty()) return PreTokenizer{std::string(scanner), {}};
  return PreTokenizer{"", {pattern}};
}

Status set_special(const std::string& name, std::int64_t id, std::size_t end, TokenList& tokens) {
  const auto wrong = [&](std::string_view why) {
    return Error{ErrorKind::kConfig, fmt::format("special token {} cannot be token {}: {}",
                                                 quoted_token(name), id, why)};
  };
  if (name.empty()) return wrong("it has no name");
  if (id < 0 || static_cast<std::size_t>(id) >= end) {
    return wrong(fmt::format("ids end at {}", end - 1));
  }
  const auto at = static_cast<std::size_t>(id);
  if (at >= tokens.size()) tokens.resize(at + 1);
  if (!tokens[at].bytes.empty()) return wrong("that is " + quoted_token(tokens[at].bytes));
  tokens.set(at, {name, TokenKind::kControl});
  return {};
}

// Rejects ids of `end` or more.
Status read_specials(JsonCursor json, std::size_t end, VocabularySource& source) {
  bool meta_start = false;
  bool meta_end = false;
  json.enter_object();
  while (const auto member = json.next_member()) {
    const std::string name(*member);
    const auto id = json.integer();
    if (!id) break;
    const Status set = set_special(name, *id, end, source.tokens);
    if (!set) {
      json.fail(set.error().message);
      break;
    }
    meta_start = meta_start || name == "<META_START>";
    meta_end = meta_end || name == "<META_END>";
    if (name == "<|endoftext|>" || name == "<EOT>") source.eos = static_cast<TokenId>(*id);
  }
  if (json.failed()) return json.error();
  if (meta_start && meta_end) source.form = NormalForm::kKC;
  return {};
}

}  // namespace

Result<VocabularySource> read_tiktoken_json(std::string_view bytes) {
  PEDRO_TRY(const auto places, find_tiktoken_places(bytes));
  if (places.special_count > kMaxSpecials) {
    return Error{ErrorKind::kConfig,
                 fmt::format("/special_tokens: {} of them, more than the limit of {}",
                             places.special_count, kMaxSpecials)};
  }
  PEDRO_TRY(const auto pre_tokenizer, read_pattern(*places.pattern));

  VocabularySource source;
  source.pre_tokenizer = pre_tokenizer;
  source.ignore_merges = true;
  RankList ranks(kMaxVocabularyTokens, places.special_count, bytes.size(), source.tokens);
  PEDRO_RETURN_IF_ERROR(read_bpe_ranks(*places.ranks, bytes, ranks));
  if (source.tokens.empty()) {
    return Error{ErrorKind::kConfig, "/bpe_ranks: there are no tokens"};
  }
  if (const auto index = TokenIndex::of(source.tokens); !index) {
    return index.error().at("/bpe_ranks");
  }
  if (places.specials) {
    if (Status read = read_specials(*places.specials, ranks.end(), source); !read)
      return read.error();
  }
  return source;
}

}  // namespace pedro
