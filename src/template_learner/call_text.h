#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chat/chat_request.h"
#include "template_learner/template_text.h"

namespace pedro {

/// A call with unique words, which can be found in a template's output.
struct SampleCall {
  RequestedCall call;
  std::string keys[2];
  std::string values[2];
};

/// The first sample call for 0, the second for 1.
const SampleCall& sample_call(int number);

/// The tools of the first `count` sample calls.
std::vector<DeclaredTool> sample_tools(int count);

/// Returns true if a text contains a word of a sample call or of its result.
bool has_sample_words(std::string_view text);

/// A range of a text, and a template piece for it with variables for the sample's words.
struct TextPart {
  std::size_t begin = std::string::npos;
  std::size_t end = 0;
  std::string piece;

  bool found() const { return begin != std::string::npos; }
};

/// A template's output after the first user's text (mark::kUser): calls, then results.
class CallText {
 public:
  /// Finds the first `calls` sample calls and `results` results (mark::kResult, mark::kResult2).
  /// Returns nothing if they are not in this order, each in one place.
  static std::optional<CallText> cut(const std::string& all, int calls, int results);

  const TextPart& call(int number) const { return calls_[static_cast<std::size_t>(number)]; }
  const TextPart& result(int number) const { return results_[static_cast<std::size_t>(number)]; }
  std::string up_to(const TextPart& part) const { return text_.substr(0, part.begin); }
  std::string behind(const TextPart& part) const { return text_.substr(part.end); }
  std::string between(const TextPart& before, const TextPart& behind) const {
    return text_.substr(before.end, behind.begin - before.end);
  }
  const std::string& text() const { return text_; }

 private:
  void find(int calls, int results);
  void take_parts(const std::vector<SpellingFound>& found, int calls, int results);

  std::string text_;
  std::vector<TextPart> calls_;
  std::vector<TextPart> results_;
};

}  // namespace pedro
