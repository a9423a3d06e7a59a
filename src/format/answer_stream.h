#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// Finds the text of an argument in a call while the model writes it, so that a user can read an
/// answer early. Reads the first JSON string with this name. In call syntaxes without JSON, it
/// finds nothing. The text is for display only: the reply may turn out to be invalid.
///
///     AnswerStream stream("answer");
///     stream.feed(R"({"tool":"phase_complete","args":{"answer":"Chil)");  // "Chil"
///     stream.feed(R"(dren\n"}})");                                        // "dren\n"
class AnswerStream {
 public:
  /// `name` must not contain characters that JSON escapes.
  explicit AnswerStream(std::string_view name) : pattern_('"' + std::string(name) + '"') {}

  /// Reads the next part of a reply. Returns new text of the argument, unescaped. The text ends
  /// inside a UTF-8 sequence only if `part` does.
  std::string feed(std::string_view part);

 private:
  enum class Place { kName, kColon, kQuote, kText, kAfter };
  void find(char c);
  void read(char c, std::string& text);
  void end_escape(std::string& text);

  std::string pattern_;  // the name in quotes
  Place place_ = Place::kName;
  std::size_t matched_ = 0;  // bytes of the pattern
  std::string escape_;       // an incomplete escape sequence, with its backslash
  char32_t high_ = 0;        // the first half of a surrogate pair
};

}  // namespace pedro
