#include "tokenizer/server_tokenizer.h"

#include <fmt/format.h>

namespace pedro {
namespace {

constexpr std::size_t kMaxCachedTexts = 64;

// A token of the answer: an id, or {"id", "piece"} where pieces were asked for.
long long id_of(const Json& token) {
  return token.is_object() ? number_of(token, "id", -1)
                           : (token.is_number_integer() ? token.get<long long>() : -1);
}

std::string piece_of(const Json& token) {
  const Json& piece = member(token, "piece");
  if (piece.is_string()) return to_line(piece);
  std::string bytes;
  for (const Json& byte : piece) {
    bytes += fmt::format("\\x{:02x}", byte.is_number_integer() ? byte.get<int>() & 0xFF : 0);
  }
  return '"' + bytes + '"';
}

std::string trace_text(std::string_view text, Specials specials, const Json& tokens) {
  std::string out = fmt::format("{} bytes by server, specials {}: {} tokens", text.size(),
                                specials == Specials::kAll ? "on" : "off", tokens.size());
  for (const Json& token : tokens) out += fmt::format(" {}:{}", id_of(token), piece_of(token));
  return out;
}

}  // namespace

Result<std::vector<TokenId>> ServerTokenizer::ask(const std::string& text, Specials specials,
                                                  bool add_special) {
  const bool tracing = trace_.wants(TraceTopic::kTokens);
  const Result<Json> answer = post_("/tokenize", {{"content", text},
                                                  {"add_special", add_special},
                                                  {"parse_special", specials == Specials::kAll},
                                                  {"with_pieces", tracing}});
  if (!answer) return answer.error();
  const Json& tokens = member(*answer, "tokens");
  if (!tokens.is_array()) return Error{ErrorKind::kModel, "/tokenize: the answer has no 'tokens'"};
  std::vector<TokenId> ids;
  ids.reserve(tokens.size());
  for (const Json& token : tokens) {
    const long long id = id_of(token);
    if (id < 0 || id > 0x7FFFFFFF) return Error{ErrorKind::kModel, "/tokenize: not a token id"};
    ids.push_back(static_cast<TokenId>(id));
  }
  if (tracing) trace_.sink(TraceTopic::kTokens, trace_text(text, specials, tokens));
  return ids;
}

Result<std::vector<TokenId>> ServerTokenizer::encode(std::string_view text, Specials specials) {
  if (specials == Specials::kNone) return ask(std::string(text), specials, false);
  for (const auto& [known, ids] : template_cache_) {
    if (known == text) return ids;
  }
  Result<std::vector<TokenId>> ids = ask(std::string(text), specials, false);
  if (ids && template_cache_.size() < kMaxCachedTexts) {
    template_cache_.emplace_back(std::string(text), *ids);
  }
  return ids;
}

Result<std::vector<TokenId>> ServerTokenizer::prompt_start() {
  return ask("", Specials::kAll, true);
}

}  // namespace pedro
