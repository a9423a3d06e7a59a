#include "tokenizer/gguf_token_kinds.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "tokenizer/end_of_generation.h"

namespace pedro {
namespace {

// A fill-in-the-middle part of a prompt: the keys that may name its token, and the texts of its
// token otherwise.
struct FillInPart {
  std::string_view keys;   // space-separated; any of them may name the token
  std::string_view texts;  // space-separated
};

constexpr FillInPart kFillInParts[] = {
    {"tokenizer.ggml.fim_pre_token_id tokenizer.ggml.prefix_token_id",
     "<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|code_prefix|> "
     "<|prefix|>"},
    {"tokenizer.ggml.fim_suf_token_id tokenizer.ggml.suffix_token_id",
     "<|fim_suffix|> <fim-suffix> <fim_suffix> <｜fim▁hole｜> <SUF> ▁<SUF> <|code_suffix|> "
     "<|suffix|>"},
    {"tokenizer.ggml.fim_mid_token_id tokenizer.ggml.middle_token_id",
     "<|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|code_middle|> "
     "<|middle|>"},
    {"tokenizer.ggml.fim_pad_token_id", "<|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]"},
    {"tokenizer.ggml.fim_rep_token_id", "<|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame>"},
    {"tokenizer.ggml.fim_sep_token_id", "<|file_sep|>"},
};

constexpr std::string_view kAlwaysRendered[] = {"<|channel|>", "<|message|>", "<|start|>",
                                                "<|constrain|>"};

Result<bool> is_named(const GgufFile& file, const FillInPart& part, std::size_t tokens) {
  bool named = false;
  for (const std::string_view key : split(part.keys, ' ')) {
    PEDRO_TRY(const auto id, file.integer(key));
    named |= id && *id < tokens;
  }
  return named;
}

void set_kind(const TokenIndex& index, std::string_view text, TokenKind kind, TokenList& tokens) {
  if (const auto id = index.find(text)) tokens.set_kind(*id, kind);
}

Status mark_fill_in(const GgufFile& file, const TokenIndex& index, TokenList& tokens) {
  for (const FillInPart& part : kFillInParts) {
    PEDRO_TRY(const auto named, is_named(file, part, tokens.size()));
    if (named) continue;
    std::optional<TokenId> first;
    for (const std::string_view text : split(part.texts, ' ')) {
      const auto id = index.find(text);
      if (id) first = std::min(*id, first.value_or(*id));
    }
    if (first) tokens.set_kind(*first, TokenKind::kControl);
  }
  return {};
}

}  // namespace

Status correct_gguf_kinds(const GgufFile& file, const TokenIndex& index, TokenList& tokens) {
  if (Status marked = mark_fill_in(file, index, tokens); !marked) return marked;
  for (const std::string_view text : ends_of_generation()) {
    set_kind(index, text, TokenKind::kControl, tokens);
  }
  for (const std::string_view text : kAlwaysRendered) {
    set_kind(index, text, TokenKind::kUserDefined, tokens);
  }
  const auto has = [&index](std::string_view text) { return index.find(text).has_value(); };
  const bool calls = has("<|call|>") || has("<|calls|>");
  if (calls && (has("<|return|>") || has("<|flush|>"))) {
    set_kind(index, "<|end|>", TokenKind::kUserDefined, tokens);
  }
  if (has("<|tool_response>")) set_kind(index, "</s>", TokenKind::kNormal, tokens);
  return {};
}

std::vector<TokenId> gguf_strip_behind(const GgufFile& file, const TokenList& tokens) {
  const std::string name = to_lower(file.model_name());
  std::vector<TokenId> ids;
  if (name.find("phi-3") == std::string::npos && name.find("phi3") == std::string::npos) return ids;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const SourceToken token = tokens[id];
    const bool special = token.kind == TokenKind::kControl || token.kind == TokenKind::kUnknown ||
                         token.kind == TokenKind::kUserDefined;
    const bool left_out =
        token.bytes == "<unk>" || token.bytes == "<s>" || token.bytes == "<|endoftext|>";
    if (special && !left_out) ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

}  // namespace pedro
