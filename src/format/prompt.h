#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pedro {

/// A token that steers the model; never a text that is written like one.
struct ControlToken {
  std::string name;  ///< "[INST]"
  /// What it is called in vocabularies that are older than its name ("<SPECIAL_32>"); "" else.
  std::string old_name;
  /// In a vocabulary that has no such token it is text, one with the text around it
  /// ("<tool_call>").
  bool may_be_text = false;
};

/// Bytes of a text, `end` behind the last.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// A text that is encoded as one, so that template and content merge as in the reference. Nothing
/// in it becomes a control token.
struct PromptText {
  std::string text;
  /// What is from a user, a file, an issue, a tool or a model; the rest is the template's. In
  /// order, not empty, not touching.
  std::vector<ByteRange> content;
  /// It goes on from what a model wrote: a vocabulary that writes a space before each text has none
  /// here.
  bool continues = false;
};

using PromptPart = std::variant<ControlToken, PromptText>;

/// What a model is given, before it is tokens. A value.
struct Prompt {
  std::vector<PromptPart> parts;
  /// The vocabulary writes a space before each text by itself (SentencePiece): it is in no text
  /// here, and to_text() shows it.
  bool spaced = false;
  /// Names of the family's tokens. Some vocabularies find such tokens in any text; where a content
  /// spells one, the text is cut in two there, so that it stays text.
  std::vector<std::string> guarded;
};

/// Puts a prompt together, from front to back.
class PromptWriter {
 public:
  explicit PromptWriter(bool spaced = false) { prompt_.spaced = spaced; }

  void guard(const std::string& name) { prompt_.guarded.push_back(name); }

  void control(std::string_view name, std::string_view old_name = "");
  /// A control token that may be text.
  void tag(std::string_view name);
  /// What is written next is encoded on its own, not with the text before it.
  void begin_text() { in_text_ = false; }
  void add_template(std::string_view text) { append(text); }
  void add_content(std::string_view text);

  Prompt take() && { return std::move(prompt_); }

 private:
  PromptText* append(std::string_view text);

  Prompt prompt_;
  bool in_text_ = false;
};

/// As references print it: control tokens by their names between the texts. Content that is written
/// like a control token looks like one here.
std::string to_text(const Prompt& prompt);

/// For people: control tokens stand between « and », and all is printable.
std::string to_marked_text(const Prompt& prompt);

/// For a terminal: control tokens and contents have a colour each, and all is printable.
std::string to_coloured_text(const Prompt& prompt);

}  // namespace pedro
