#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.h"
#include "chat/message.h"

namespace pedro {

/// A token that steers the model. Text with the same spelling never becomes one.
struct ControlToken {
  std::string name;  ///< "[INST]"
  /// The name in vocabularies older than `name` ("<SPECIAL_32>"); "" if there is none.
  std::string old_name;
  /// Without such a token in the vocabulary it is text, joined with its neighbours ("<tool_call>").
  bool may_be_text = false;
};

/// A text that is encoded as a unit, so template and content merge as in the reference. No part of
/// it becomes a control token.
struct PromptText {
  std::string text;
  /// The parts from a user, a file, an issue, a tool or a model; the rest is the template's. Ranges
  /// are sorted, not empty and not adjacent.
  std::vector<ByteRange> content;
  /// The text continues what a model wrote. A vocabulary that puts a space before each text puts
  /// none here.
  bool continues = false;
  /// For traces, of static duration: see turn_label(); "" outside turns.
  std::string_view turn = {};
};

/// Returns "user turn" and so on.
constexpr std::string_view turn_label(Role role) {
  constexpr std::string_view kLabels[] = {"system turn", "user turn", "assistant turn",
                                          "tool turn"};
  return kLabels[static_cast<int>(role)];
}

using PromptPart = std::variant<ControlToken, PromptText>;

/// The input of a model before tokenization. A value type.
struct Prompt {
  std::vector<PromptPart> parts;
  /// The vocabulary itself puts a space before each text (SentencePiece). No text here contains it;
  /// to_text() shows it.
  bool spaced = false;
  /// Names of the family's tokens. Some vocabularies find such tokens in any text. A content with
  /// such a name is split inside the name, so it stays text.
  std::vector<std::string> guarded;
};

/// Builds a prompt from front to back.
class PromptWriter {
 public:
  explicit PromptWriter(bool spaced = false) { prompt_.spaced = spaced; }

  void guard(const std::string& name) { prompt_.guarded.push_back(name); }

  void control(std::string_view name, std::string_view old_name = "");
  /// Adds a control token that may be text.
  void tag(std::string_view name);
  /// Labels the following texts for traces; see PromptText::turn.
  void begin_turn(std::string_view label) { turn_ = label; }
  /// Starts a text that is encoded separately from the one before.
  void begin_text() { in_text_ = false; }
  void add_template(std::string_view text) { append(text); }
  void add_content(std::string_view text);

  Prompt take() && { return std::move(prompt_); }

 private:
  PromptText* append(std::string_view text);

  Prompt prompt_;
  bool in_text_ = false;
  std::string_view turn_;
};

/// Returns the prompt as references print it: names of control tokens between the texts. Content
/// that spells a control token looks the same.
std::string to_text(const Prompt& prompt);

/// Returns the prompt for people: control tokens between « and », all text printable.
std::string to_marked_text(const Prompt& prompt);

/// Returns the prompt for a terminal: colours for control tokens and contents, all text printable.
std::string to_coloured_text(const Prompt& prompt);

}  // namespace pedro
