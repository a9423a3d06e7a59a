#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pedro {

/// The numbers that texts state, by value: "1,000", "1000", "1k" and "a thousand" are one number.
/// The parts of dates, times and ranges are separate numbers; a version is one number.
///
///   StatedNumbers notes;
///   notes.add("12k orders failed between 9:30 and ten");
///   notes.missing_in("12,000 failed in 3 hours");  // {"3"}.
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

/// Returns the names in a text, each once. Names are capitalized words inside a sentence, words
/// with several capitals, digits or signs, and code in backticks. Example: "Maria ran `\d orders`
/// on replica 2, CONCURRENTLY" has Maria, \d orders and CONCURRENTLY. Ignores capitalized words in
/// languages that capitalize nouns.
std::vector<std::string> stated_names(std::string_view text);

/// Returns the names of `note` that `text` lacks. Ignores case.
std::vector<std::string> missing_names(std::string_view note, std::string_view text);

/// Returns the number of negations in an English text: "no", "not", "never", "without", "n't", ….
std::size_t count_negations(std::string_view text);

}  // namespace pedro
