#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// Finds the text of a call's argument while the model writes it, so that users can read an answer
/// early. Reads the first JSON string with this name. In call syntaxes without JSON, it finds
/// nothing. The text is for display only: the reply may turn out to be invalid.
///
///     AnswerStream stream("answer");
///     stream.feed(R"({"tool":"phase_complete","args":{"answer":"Chil)");
///     stream.feed(R"(dren\n"}})");
///     stream.text();  // "Children\n"
class AnswerStream {
 public:
  /// `name` must not contain characters that JSON escapes.
  explicit AnswerStream(std::string_view name) : pattern_('"' + std::string(name) + '"') {}

  /// Reads the next part of a reply, of any size.
  void feed(std::string_view part);

  /// Returns the text so far, unescaped, without an incomplete character at its end. "" if it is
  /// not the beginning of a JSON string. O(its bytes).
  std::string text() const;

 private:
  enum class Place { kName, kColon, kQuote, kText, kAfter };
  void find(char c);

  std::string pattern_;  // the name in quotes
  Place place_ = Place::kName;
  std::size_t matched_ = 0;  // bytes of the pattern
  std::string raw_;          // the string as written, without its quotes
  bool escaped_ = false;     // the next character belongs to an escape
};

}  // namespace pedro
