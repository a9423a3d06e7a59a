#include "tokenizer/server_tokenizer.h"

#include <algorithm>

namespace pedro {
namespace {

constexpr TokenId kBetweenTexts = -1;
constexpr std::size_t kMaxPieces = std::size_t{1} << 16;  // limit of cached pieces

Error unexpected(std::string_view what) {
  return Error{ErrorKind::kModel, "/tokenize: the answer " + std::string(what)};
}

Result<TokenId> id_in(const Json& token) {
  const long long id = token.is_number_integer() ? token.get<long long>() : -2;
  if (id < kBetweenTexts || id > 0x7FFFFFFF) return unexpected("has an invalid token id");
  return static_cast<TokenId>(id);
}

// The text of a token from with_pieces: a string, or bytes if it is a part of a character.
std::string piece_in(const Json& token) {
  const Json& piece = member(token, "piece");
  if (piece.is_string()) return piece.get<std::string>();
  std::string bytes;
  for (const Json& byte : piece) {
    bytes += static_cast<char>(byte.is_number_integer() ? byte.get<int>() & 0xFF : 0);
  }
  return bytes;
}

/// The position of a text in another one.
struct Found {
  std::size_t at = 0;
  std::size_t size = 0;
};

// The first occurrence of any of the texts, the longest at one position; else the end of `text`.
Found first_of(std::string_view text, std::span<const std::string_view> wanted) {
  Found first{text.size(), 0};
  for (const std::string_view one : wanted) {
    const std::size_t at = one.empty() ? std::string_view::npos : text.find(one);
    if (at < first.at || (at == first.at && one.size() > first.size)) first = {at, one.size()};
  }
  return first;
}

}  // namespace

std::size_t TokenCache::bytes_of(std::string_view text, const std::vector<TokenId>& ids) {
  constexpr std::size_t kEntryBytes = 128;  // approximate overhead of the containers
  return text.size() + ids.size() * sizeof(TokenId) + kEntryBytes;
}

const std::vector<TokenId>* TokenCache::find(std::string_view text) {
  const auto found = by_text_.find(text);
  if (found == by_text_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->ids;
}

void TokenCache::add(std::string_view text, const std::vector<TokenId>& ids) {
  const std::size_t bytes = bytes_of(text, ids);
  if (bytes > max_bytes_ / 8 || by_text_.contains(text)) return;
  entries_.push_front({std::string(text), ids});
  by_text_.emplace(entries_.front().text, entries_.begin());
  bytes_ += bytes;
  while (bytes_ > max_bytes_) {
    const Entry& last = entries_.back();
    bytes_ -= bytes_of(last.text, last.ids);
    by_text_.erase(last.text);
    entries_.pop_back();
  }
}

std::vector<ServerTokenizer::Run> ServerTokenizer::runs_of(const Passage& passage) {
  if (passage.specials.all()) return {{passage.text, Parse::kSpecials}};
  std::vector<Run> runs;
  for (std::string_view rest = passage.text; !rest.empty();) {
    const auto [at, size] = first_of(rest, passage.specials.texts());
    if (at > 0) runs.push_back({rest.substr(0, at), Parse::kText});
    if (size > 0) runs.push_back({rest.substr(at, size), Parse::kSpecials});
    rest.remove_prefix(at + size);
  }
  return runs;
}

TokenCache& ServerTokenizer::cache_of(Parse parse) {
  return parse == Parse::kText ? texts_ : template_texts_;
}

Result<Json> ServerTokenizer::tokenize(Json content, Parse parse, const char* option) {
  Json body = {{"content", std::move(content)}, {"parse_special", parse == Parse::kSpecials}};
  if (*option != '\0') body[option] = true;
  PEDRO_TRY(const Json answer, post_("/tokenize", body));
  const Json& tokens = member(answer, "tokens");
  if (!tokens.is_array()) return unexpected("has no 'tokens'");
  return tokens;
}

// Sends one request.
Status ServerTokenizer::ask(std::span<Run*> runs, Parse parse) {
  Json content = Json::array();
  for (const Run* run : runs) {
    if (!content.empty()) content.push_back(kBetweenTexts);
    content.push_back(run->text);
  }
  PEDRO_TRY(const Json tokens, tokenize(std::move(content), parse, ""));
  std::size_t at = 0;
  for (const Json& token : tokens) {
    PEDRO_TRY(const TokenId id, id_in(token));
    if (id != kBetweenTexts) {
      runs[at]->ids.push_back(id);
    } else if (++at == runs.size()) {
      break;
    }
  }
  if (at + 1 != runs.size()) return unexpected("has a different number of texts than were sent");
  for (const Run* run : runs) cache_of(parse).add(run->text, run->ids);
  return {};
}

Status ServerTokenizer::ask_each(std::span<Run*> runs, Parse parse) {
  while (!runs.empty()) {
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < runs.size(); ++count) {
      bytes += runs[count]->text.size();
      if (count > 0 && bytes > kRequestBytes) break;
    }
    if (Status asked = ask(runs.first(count), parse); !asked) return asked;
    runs = runs.subspan(count);
  }
  return {};
}

Result<std::vector<std::vector<TokenId>>> ServerTokenizer::encode_each(
    std::span<const Passage> passages) {
  std::vector<std::vector<Run>> all;
  for (const Passage& passage : passages) all.push_back(runs_of(passage));
  for (const Parse parse : {Parse::kText, Parse::kSpecials}) {
    std::vector<Run*> unknown;
    for (std::vector<Run>& runs : all) {
      for (Run& run : runs) {
        if (run.parse != parse || run.text.empty()) continue;
        const std::vector<TokenId>* known = cache_of(parse).find(run.text);
        if (known != nullptr) run.ids = *known;
        if (known == nullptr) unknown.push_back(&run);
      }
    }
    PEDRO_RETURN_IF_ERROR(ask_each(unknown, parse));
  }
  std::vector<std::vector<TokenId>> out;
  for (const std::vector<Run>& runs : all) {
    std::vector<TokenId>& ids = out.emplace_back();
    for (const Run& run : runs) ids.insert(ids.end(), run.ids.begin(), run.ids.end());
  }
  return out;
}

Result<std::vector<TokenId>> ServerTokenizer::encode(std::string_view text, Specials specials) {
  const Passage passage{text, specials};
  PEDRO_TRY(auto ids, encode_each({&passage, 1}));
  return std::move(ids.front());
}

Result<std::size_t> ServerTokenizer::count(std::string_view text, Specials specials) {
  PEDRO_TRY(const auto ids, encode(text, specials));
  return ids.size();
}

Result<std::string> ServerTokenizer::decode(const std::vector<TokenId>& ids) {
  PEDRO_TRY(const Json answer, post_("/detokenize", {{"tokens", ids}}));
  const Json& content = member(answer, "content");
  if (!content.is_string()) {
    return Error{ErrorKind::kModel, "/detokenize: the answer has no 'content'"};
  }
  return content.get<std::string>();
}

// /tokenize returns ids unchanged, with their texts.
Status ServerTokenizer::learn_pieces(std::span<const TokenId> ids) {
  Json content = Json::array();
  for (const TokenId id : ids) {
    if (!pieces_.contains(id)) content.push_back(id);
  }
  if (content.empty()) return {};
  PEDRO_TRY(const Json tokens, tokenize(std::move(content), Parse::kText, "with_pieces"));
  for (const Json& token : tokens) {
    PEDRO_TRY(const TokenId id, id_in(member(token, "id")));
    pieces_[id] = piece_in(token);
  }
  return {};
}

Result<std::vector<std::string>> ServerTokenizer::pieces(std::span<const TokenId> ids) {
  if (pieces_.size() > kMaxPieces) pieces_.clear();
  PEDRO_RETURN_IF_ERROR(learn_pieces(ids));
  std::vector<std::string> out;
  for (const TokenId id : ids) {
    const auto piece = pieces_.find(id);
    if (piece == pieces_.end()) return unexpected("omits requested tokens");
    out.push_back(piece->second);
  }
  return out;
}

Result<std::string> ServerTokenizer::piece(TokenId id) {
  PEDRO_TRY(auto one, pieces({&id, 1}));
  return std::move(one.front());
}

Result<std::optional<TokenId>> ServerTokenizer::id_of(std::string_view bytes) {
  const Passage both[] = {{bytes, Specials::kNone}, {bytes, Specials::kAll}};
  PEDRO_TRY(const auto ids, encode_each(both));
  for (const std::vector<TokenId>& one : ids) {
    if (one.size() == 1) return std::optional(one.front());
  }
  return std::optional<TokenId>();
}

// A control token is the encoding of its text only if special tokens are recognized.
Result<bool> ServerTokenizer::is_control(TokenId id) {
  PEDRO_TRY(const auto text, piece(id));
  const Passage both[] = {{text, Specials::kNone}, {text, Specials::kAll}};
  PEDRO_TRY(const auto ids, encode_each(both));
  const std::vector<TokenId> itself = {id};
  return ids[0] != itself && ids[1] == itself;
}

Result<std::vector<TokenId>> ServerTokenizer::prompt_start() {
  if (prompt_start_) return *prompt_start_;
  PEDRO_TRY(const Json tokens, tokenize("", Parse::kSpecials, "add_special"));
  std::vector<TokenId> ids;
  for (const Json& token : tokens) {
    PEDRO_TRY(const TokenId id, id_in(token));
    ids.push_back(id);
  }
  prompt_start_ = ids;
  return ids;
}

}  // namespace pedro
