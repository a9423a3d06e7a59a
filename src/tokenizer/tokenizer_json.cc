#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/json_cursor.h"
#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/token_index.h"
#include "tokenizer/tokenizer_json_rules.h"
#include "tokenizer/vocabulary_limits.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

// Limits of parts that are parsed to a tree. Known files have less than 10 KB.
constexpr JsonLimits kRuleLimits{256U << 10U, 32};
constexpr std::size_t kMaxMessageBytes = 200;

/// A value to read later: a cursor before it, and its text.
struct Bookmark {
  JsonCursor json;
  std::string_view text;
  std::size_t parts = 0;
};
using Part = std::optional<Bookmark>;

void mark(JsonCursor& json, Part& part) {
  if (part) json.fail("it appears twice");
  const JsonCursor before = json;
  if (const auto value = json.skip()) part = Bookmark{before, value->text, value->parts};
}

struct Model {
  std::string type = "BPE";
  Part vocab;
  Part merges;
  std::string unknown;
  bool ignore_merges = false;
  bool byte_fallback = false;
};

struct FileParts {
  std::optional<Model> model;
  Part added_tokens;
  Part normalizer;
  Part pre_tokenizer;
  Part decoder;
  Part post_processor;
};

// Reads a string; null is "".
std::string optional_text(JsonCursor& json) {
  if (json.kind() == JsonCursor::Kind::kNull) {
    json.skip();
    return "";
  }
  const auto text = json.text();
  return text ? std::string(*text) : "";
}

void read_dropout(JsonCursor& json) {
  const auto dropout = json.skip();
  if (!dropout || dropout->text == "null") return;
  if (dropout->text.find_first_not_of("0.") == std::string_view::npos) return;
  json.fail("dropout is not supported");
}

Model read_model(JsonCursor& json) {
  Model model;
  json.enter_object();
  while (const auto member_name = json.next_member()) {
    const std::string name(*member_name);
    if (name == "type") {
      model.type = optional_text(json);
    } else if (name == "vocab") {
      mark(json, model.vocab);
    } else if (name == "merges") {
      mark(json, model.merges);
    } else if (name == "unk_token") {
      model.unknown = optional_text(json);
    } else if (name == "ignore_merges") {
      model.ignore_merges = json.truth().value_or(false);
    } else if (name == "byte_fallback") {
      model.byte_fallback = json.truth().value_or(false);
    } else if (name == "continuing_subword_prefix" || name == "end_of_word_suffix") {
      if (!optional_text(json).empty()) json.fail(name + " is not supported");
    } else if (name == "dropout") {
      read_dropout(json);
    } else {
      json.skip();
    }
  }
  return model;
}

Status check(const std::optional<Model>& model) {
  if (!model) return config_error("/model", "it is missing");
  if (model->type != "BPE") {
    return config_error("/model/type", quoted_token(model->type) + " cannot be read, only 'BPE'");
  }
  if (!model->vocab) return config_error("/model/vocab", "it is missing");
  if (!model->merges) return config_error("/model/merges", "it is missing");
  return {};
}

Result<FileParts> find_parts(std::string_view bytes) {
  FileParts parts;
  JsonCursor json(bytes);
  json.enter_object();
  while (const auto name = json.next_member()) {
    if (*name == "model") {
      if (parts.model) json.fail("it appears twice");
      parts.model = read_model(json);
    } else if (*name == "added_tokens") {
      mark(json, parts.added_tokens);
    } else if (*name == "normalizer") {
      mark(json, parts.normalizer);
    } else if (*name == "pre_tokenizer") {
      mark(json, parts.pre_tokenizer);
    } else if (*name == "decoder") {
      mark(json, parts.decoder);
    } else if (*name == "post_processor") {
      mark(json, parts.post_processor);
    } else {
      json.skip();
    }
  }
  PEDRO_RETURN_IF_ERROR(json.finish());
  PEDRO_RETURN_IF_ERROR(check(parts.model));
  return parts;
}

Status read_vocab(const Bookmark& vocab, std::size_t max_tokens, TokenList& tokens) {
  JsonCursor json = vocab.json;
  tokens.reserve(std::min(vocab.parts, max_tokens), vocab.text.size() / 2);
  json.enter_object();
  while (const auto text = json.next_member()) {
    const auto id = json.integer();
    if (!id) break;
    if (*id < 0 || static_cast<std::size_t>(*id) >= max_tokens) {
      json.fail(fmt::format("token id {} is too high for this file", *id));
      break;
    }
    const auto place = static_cast<std::size_t>(*id);
    if (place >= tokens.size()) tokens.resize(place + 1);
    if (!tokens[place].bytes.empty()) {
      json.fail(fmt::format("token id {} appears twice", *id));
      break;
    }
    tokens.set(place, {*text});
  }
  if (json.failed()) return json.error();
  if (tokens.empty()) return config_error("/model/vocab", "there are no tokens");
  return {};
}

struct AddedToken {
  std::optional<std::int64_t> id;
  std::string content;
  bool special = false;
  bool takes_white_space = false;
};

AddedToken read_added_token(JsonCursor& json) {
  AddedToken token;
  json.enter_object();
  while (const auto name = json.next_member()) {
    if (*name == "id") {
      token.id = json.integer();
    } else if (*name == "content") {
      token.content = optional_text(json);
    } else if (*name == "special") {
      token.special = json.truth().value_or(false);
    } else if (*name == "lstrip" || *name == "rstrip" || *name == "single_word") {
      token.takes_white_space |= json.truth().value_or(false);
    } else {
      json.skip();
    }
  }
  return token;
}

Status add_token(const AddedToken& added, std::size_t max_tokens, TokenList& tokens) {
  const std::string name = quoted_token(added.content);
  const auto wrong = [](std::string message) {
    return Error{ErrorKind::kConfig, std::move(message)};
  };
  if (!added.id || added.content.empty()) return wrong("an added token without id or content");
  if (*added.id < 0 || static_cast<std::size_t>(*added.id) >= max_tokens) {
    return wrong(fmt::format("id {} of {} is too high for this file", *added.id, name));
  }
  if (added.takes_white_space && !added.special) {
    return wrong(name + " takes white space beside it (lstrip, rstrip or single_word)");
  }
  const auto id = static_cast<std::size_t>(*added.id);
  if (id >= tokens.size()) tokens.resize(id + 1);
  const std::string_view there = tokens[id].bytes;
  if (!there.empty() && there != added.content) {
    return wrong(fmt::format("{} has id {}, as has {}", name, id, quoted_token(there)));
  }
  tokens.set(id, {added.content, added.special ? TokenKind::kControl : TokenKind::kUserDefined});
  return {};
}

Status read_added_tokens(const Part& part, std::size_t max_tokens, TokenList& tokens) {
  if (!part || part->text == "null") return {};
  JsonCursor json = part->json;
  json.enter_array();
  while (json.next_element()) {
    const AddedToken added = read_added_token(json);
    if (json.failed()) break;
    if (Status status = add_token(added, max_tokens, tokens); !status) {
      json.fail(status.error().message);
    }
  }
  if (json.failed()) return json.error();
  return {};
}

// Parses "a b" with exactly one space.
Result<Merge> read_merge_text(std::string_view text, const TokenIndex& index) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) {
    return Error{ErrorKind::kConfig,
                 quoted_token(text) + " is not two tokens separated by a blank"};
  }
  return index.merge_of(text.substr(0, space), text.substr(space + 1));
}

// Parses ["a", "b"]. `left` is a reused buffer.
Result<Merge> read_merge_pair(JsonCursor& json, const TokenIndex& index, std::string& left) {
  const Error wrong{ErrorKind::kConfig, "expected a merge of two tokens"};
  json.enter_array();
  if (!json.next_element()) return wrong;
  left = json.text().value_or("");
  if (!json.next_element()) return wrong;
  const auto right = json.text();
  if (!right) return wrong;
  const auto merge = index.merge_of(left, *right);
  if (json.next_element()) return wrong;
  return merge;
}

Status read_merges(const Bookmark& part, const TokenIndex& index, std::vector<Merge>& merges) {
  JsonCursor json = part.json;
  if (part.parts > kMaxVocabularyMerges) {
    return config_error("/model/merges", fmt::format("{} merges, more than the limit of {}",
                                                     part.parts, kMaxVocabularyMerges));
  }
  std::string left;
  json.enter_array();
  if (!json.failed()) merges.reserve(part.parts);
  while (json.next_element()) {
    const bool is_text = json.kind() == JsonCursor::Kind::kText;
    const auto text = is_text ? json.text() : std::nullopt;
    if (is_text && !text) break;
    const auto merge = is_text ? read_merge_text(*text, index) : read_merge_pair(json, index, left);
    if (!merge) {
      json.fail(merge.error().at(fmt::format("merge {}", merges.size())).message);
      break;
    }
    merges.push_back(*merge);
  }
  if (json.failed()) return json.error();
  if (merges.empty()) return config_error("/model/merges", "there are none");
  return {};
}

Result<Json> tree_of(const Part& part) {
  if (!part) return Json();
  auto tree = parse_json(part->text, kRuleLimits);
  if (tree) return tree;
  // The message may contain a number of any length.
  return Error{ErrorKind::kConfig,
               std::string(truncate_utf8(tree.error().message, kMaxMessageBytes))};
}

Result<TextRules> read_rules(const FileParts& parts) {
  struct Row {
    std::string_view name;
    const Part& part;
  };
  Json trees[3];
  const Row rows[] = {{"/normalizer", parts.normalizer},
                      {"/pre_tokenizer", parts.pre_tokenizer},
                      {"/decoder", parts.decoder}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    auto tree = tree_of(rows[i].part);
    if (!tree) return tree.error().at(rows[i].name);
    trees[i] = *std::move(tree);
  }
  return read_text_rules(trees[0], trees[1], trees[2]);
}

Result<std::optional<TokenId>> named_token(const TokenIndex& index, std::string_view place,
                                           const std::string& name) {
  if (name.empty()) return std::optional<TokenId>();
  const auto id = index.find(name);
  if (id) return id;
  return config_error(place, quoted_token(name) + " is not in the vocabulary");
}

Status read_special_ids(const FileParts& parts, const TokenIndex& index, VocabularySource& source) {
  const auto tree = tree_of(parts.post_processor);
  if (!tree) return tree.error().at("/post_processor");
  PEDRO_TRY(const auto frame, read_prompt_frame(*tree));
  PEDRO_TRY(const auto bos, named_token(index, "/post_processor", frame.first));
  PEDRO_TRY(const auto eos, named_token(index, "/post_processor", frame.last));
  PEDRO_TRY(const auto unknown, named_token(index, "/model/unk_token", parts.model->unknown));
  source.bos = bos;
  source.eos = eos;
  source.unknown = unknown;
  source.add_bos = bos.has_value();
  source.add_eos = eos.has_value();
  return {};
}

// Replaces texts by the bytes that they represent. A text outside GPT-2's alphabet represents
// itself.
void spell_out(VocabularySource& source) {
  TokenList& tokens = source.tokens;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const SourceToken token = tokens[id];
    if (token.kind != TokenKind::kNormal) continue;
    if (source.symbols == Symbols::kBytes) {
      if (const auto bytes = bytes_of_letters(token.bytes)) tokens.set_bytes(id, *bytes);
    } else if (const auto byte = byte_of_name(token.bytes)) {
      tokens.set_bytes(id, std::string(1, *byte));
      tokens.set_kind(id, TokenKind::kByte);
    }
  }
}

Status read_tokens_and_merges(const FileParts& parts, std::size_t max_tokens,
                              VocabularySource& source) {
  const Model& model = *parts.model;
  Status read = read_vocab(*model.vocab, max_tokens, source.tokens);
  if (read.ok()) read = read_added_tokens(parts.added_tokens, max_tokens, source.tokens);
  if (!read) return read;
  const auto index = TokenIndex::of(source.tokens);
  if (!index) return index.error().at("/model/vocab");
  read = read_merges(*model.merges, *index, source.merges);
  if (read.ok()) read = read_special_ids(parts, *index, source);
  return read;
}

}  // namespace

Result<VocabularySource> read_tokenizer_json(std::string_view bytes) {
  PEDRO_TRY(const auto parts, find_parts(bytes));
  const Model& model = *parts.model;
  PEDRO_TRY(const auto rules, read_rules(parts));
  if (!rules.byte_level && !model.byte_fallback) {
    return config_error("/model", "its tokens are neither bytes (ByteLevel) nor fall back to them");
  }

  VocabularySource source;
  source.symbols = rules.byte_level ? Symbols::kBytes : Symbols::kCharacters;
  source.pre_tokenizer = pre_tokenizer_of(rules);
  if (rules.nfc) source.form = NormalForm::kC;
  source.space_prefix = rules.space_prefix;
  source.escape_spaces = rules.escape_spaces;
  source.ignore_merges = model.ignore_merges;
  Status read = read_tokens_and_merges(parts, max_tokens_in(bytes.size()), source);
  if (read.ok()) read = drop_repeated(source.merges, Keep::kLast);
  if (!read) return read.error();
  if (source.unknown && source.tokens[*source.unknown].kind == TokenKind::kNormal) {
    source.tokens.set_kind(*source.unknown, TokenKind::kUnknown);
  }
  spell_out(source);
  return source;
}

}  // namespace pedro
