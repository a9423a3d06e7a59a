#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pedro {

/// The numbers that texts state, by value: "1,000", "1000", "1k" and "a thousand" are one number.
/// Dates, times and ranges are numbers apart; a version is one. Example:
///
///   StatedNumbers notes;
///   notes.add("12k orders failed between 9:30 and ten");
///   notes.missing_in("12,000 failed in 3 hours");  // {"3"}
///
/// Digits are read in any language, number words in English. Linear in the text.
class StatedNumbers {
 public:
  void add(std::string_view text);

  /// The numbers of `text` that no added text states, as `text` writes them, each once. Leaves out
  /// the numbers of ordered lists, code blocks, "one", "first", "second" and "third".
  std::vector<std::string> missing_in(std::string_view text) const;

 private:
  std::unordered_set<std::string> values_;
};

}  // namespace pedro
