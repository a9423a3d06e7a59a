#include "tokenizer/server_tokenizer.h"

#include <fmt/format.h>

namespace pedro {
namespace {

constexpr std::size_t kMaxCachedTexts = 64;

// A token of the answer: an id, or {"id", "piece"} where pieces were asked for.
long long id_of_token(const Json& token) {
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

std::string trace_text(std::string_view text, bool specials, const Json& tokens) {
  std::string out = fmt::format("{} bytes by server, specials {}: {} tokens", text.size(),
                                specials ? "on" : "off", tokens.size());
  for (const Json& token : tokens)
    out += fmt::format(" {}:{}", id_of_token(token), piece_of(token));
  return out;
}

/// A text within another one.
struct Found {
  std::size_t at = 0;
  std::size_t size = 0;
};

// The first of the texts, of those at the same place the longest; else the end.
Found first_of(std::string_view text, std::span<const std::string_view> wanted) {
  Found first{text.size(), 0};
  for (const std::string_view one : wanted) {
    const std::size_t at = one.empty() ? std::string_view::npos : text.find(one);
    if (at < first.at || (at == first.at && one.size() > first.size)) first = {at, one.size()};
  }
  return first;
}

}  // namespace

Result<std::vector<TokenId>> ServerTokenizer::ask(std::string_view text, Parse parse,
                                                  bool add_special) {
  const bool tracing = trace_.wants(TraceTopic::kTokens);
  const bool specials = parse == Parse::kSpecials;
  const Result<Json> answer = post_("/tokenize", {{"content", text},
                                                  {"add_special", add_special},
                                                  {"parse_special", specials},
                                                  {"with_pieces", tracing}});
  if (!answer) return answer.error();
  const Json& tokens = member(*answer, "tokens");
  if (!tokens.is_array()) return Error{ErrorKind::kModel, "/tokenize: the answer has no 'tokens'"};
  std::vector<TokenId> ids;
  ids.reserve(tokens.size());
  for (const Json& token : tokens) {
    const long long id = id_of_token(token);
    if (id < 0 || id > 0x7FFFFFFF) return Error{ErrorKind::kModel, "/tokenize: not a token id"};
    ids.push_back(static_cast<TokenId>(id));
  }
  if (tracing) trace_.sink(TraceTopic::kTokens, trace_text(text, specials, tokens));
  return ids;
}

Result<std::vector<TokenId>> ServerTokenizer::template_text(std::string_view text) {
  for (const auto& [known, ids] : template_cache_) {
    if (known == text) return ids;
  }
  Result<std::vector<TokenId>> ids = ask(text, Parse::kSpecials, false);
  if (ids && template_cache_.size() < kMaxCachedTexts) {
    template_cache_.emplace_back(std::string(text), *ids);
  }
  return ids;
}

Result<std::vector<TokenId>> ServerTokenizer::encode(std::string_view text, Specials specials) {
  if (specials.all()) return template_text(text);
  if (specials.none()) return ask(text, Parse::kText, false);
  std::vector<TokenId> ids;
  const auto add = [&](std::string_view part, Parse parse) -> Status {
    if (part.empty()) return {};
    const auto some = parse == Parse::kText ? ask(part, parse, false) : template_text(part);
    if (!some) return some.error();
    ids.insert(ids.end(), some->begin(), some->end());
    return {};
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const auto [at, size] = first_of(text.substr(begin), specials.texts());
    Status status = add(text.substr(begin, at), Parse::kText);
    if (status) status = add(text.substr(begin + at, size), Parse::kSpecials);
    if (!status) return status.error();
    begin += at + size;
  }
  return ids;
}

Result<std::size_t> ServerTokenizer::count(std::string_view text, Specials specials) {
  const auto ids = encode(text, specials);
  if (!ids) return ids.error();
  return ids->size();
}

Result<std::string> ServerTokenizer::decode(const std::vector<TokenId>& ids) {
  const Result<Json> answer = post_("/detokenize", {{"tokens", ids}});
  if (!answer) return answer.error();
  const Json& content = member(*answer, "content");
  if (!content.is_string()) {
    return Error{ErrorKind::kModel, "/detokenize: the answer has no 'content'"};
  }
  return content.get<std::string>();
}

Result<std::string> ServerTokenizer::piece(TokenId id) {
  return decode({id});
}

Result<std::optional<TokenId>> ServerTokenizer::id_of(std::string_view bytes) {
  for (const Parse parse : {Parse::kText, Parse::kSpecials}) {
    const auto ids = ask(bytes, parse, false);
    if (!ids) return ids.error();
    if (ids->size() == 1) return std::optional(ids->front());
  }
  return std::optional<TokenId>();
}

// What is written alike and becomes the token only where specials are recognised.
Result<bool> ServerTokenizer::is_control(TokenId id) {
  const auto text = piece(id);
  if (!text) return text.error();
  const std::vector<TokenId> itself = {id};
  const auto as_text = ask(*text, Parse::kText, false);
  if (!as_text || *as_text == itself) return as_text ? Result<bool>(false) : as_text.error();
  const auto as_special = ask(*text, Parse::kSpecials, false);
  if (!as_special) return as_special.error();
  return *as_special == itself;
}

Result<std::vector<TokenId>> ServerTokenizer::prompt_start() {
  return ask("", Parse::kSpecials, true);
}

}  // namespace pedro
