#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pedro {

/// The numbers that texts state, by value: "1,000", "1000", "1k" and "a thousand" are one number.
/// The parts of dates, times and ranges are separate numbers; a version is one number. Example:
///
///   StatedNumbers notes;
///   notes.add("12k orders failed between 9:30 and ten");
///   notes.missing_in("12,000 failed in 3 hours");  // {"3"}
///
/// Reads digits in any language and number words in English. O(bytes).
class StatedNumbers {
 public:
  void add(std::string_view text);

  /// Returns the numbers of `text` that no added text states, each once, in the spelling of `text`.
  /// Ignores list numbers, code blocks, "one", "first", "second" and "third".
  std::vector<std::string> missing_in(std::string_view text) const;

 private:
  std::unordered_set<std::string> values_;
};

}  // namespace pedro
