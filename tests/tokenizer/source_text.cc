#include "tokenizer/source_text.h"

#include <fmt/format.h>

#include <string_view>

#include "base/utf8.h"

namespace pedro {
namespace {

std::string_view name_of(TokenKind kind) {
  constexpr std::string_view kNames[] = {"?",    "normal", "unknown", "control",
                                         "user", "unused", "byte"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string shown(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = utf8_sequence_length(bytes);
    if (length == 0 || (length == 1 && (bytes[0] < ' ' || bytes[0] == 0x7F))) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
      bytes.remove_prefix(1);
    } else {
      text += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return text;
}

void add_id(std::string& text, std::string_view name, std::optional<TokenId> id, bool added) {
  if (id) text += fmt::format(" {}={}{}", name, *id, added ? "+" : "");
}

std::string settings_of(const VocabularySource& source) {
  std::string text = source.symbols == Symbols::kBytes ? "bytes" : "characters";
  text += source.fidelity == Fidelity::kLlamaCpp ? " llama.cpp" : " reference";
  if (!source.pre_tokenizer.scanner.empty()) text += " by " + source.pre_tokenizer.scanner;
  for (const std::string& pattern : source.pre_tokenizer.patterns) text += " /" + pattern + "/";
  if (source.ignore_merges) text += " ignore_merges";
  if (source.form == NormalForm::kC) text += " nfc";
  if (source.form == NormalForm::kKC) text += " nfkc";
  if (source.space_prefix) text += " space_prefix";
  if (source.escape_spaces) text += " escape_spaces";
  add_id(text, "bos", source.bos, source.add_bos);
  add_id(text, "eos", source.eos, source.add_eos);
  add_id(text, "unknown", source.unknown, false);
  return text + "\n";
}

}  // namespace

std::string to_text(const TokenList& tokens) {
  std::string text;
  std::size_t id = 0;
  for (const SourceToken& token : tokens) {
    text += fmt::format("{} {} '{}'", id++, name_of(token.kind), shown(token.bytes));
    if (token.score != 0) text += fmt::format(" {}", token.score);
    text += '\n';
  }
  return text;
}

std::string to_text(const VocabularySource& source) {
  std::string text = settings_of(source) + to_text(source.tokens);
  for (const Merge& merge : source.merges) {
    text += fmt::format("{} + {} = {}\n", merge.left, merge.right, merge.result);
  }
  return text;
}

std::string to_text(const Result<VocabularySource>& source) {
  return source ? to_text(*source) : source.error().message;
}

}  // namespace pedro
