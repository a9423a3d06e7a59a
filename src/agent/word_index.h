#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pedro {

/// Returns the content words of a text with repetitions. They have four or more letters and are not
/// common English words. They are reduced to a stem: "rolled" equals "rolls".
std::vector<std::string> key_words(std::string_view text);

/// Splits a text into runs of letters, digits and "_" that do not start with a digit.
std::vector<std::string_view> identifiers_of(std::string_view text);

/// Measures the overlap of a text with other texts by content words. Example:
///
///   WordIndex notes;
///   notes.add("the migration locked the table");
///   notes.share_of("A migration locks tables.");  // 1
class WordIndex {
 public:
  void add(std::string_view text);

  /// Returns the share of content words of `text` that the added texts contain, from 0 to 1.
  /// Returns 1 for a text without content words.
  double share_of(std::string_view text) const;

  /// Returns true if the added texts contain most of the short words of `text`, as texts of one
  /// language do. Returns false for short texts.
  bool shares_language(std::string_view text) const;

 private:
  std::unordered_set<std::string> stems_;
  std::unordered_set<std::string> short_words_;
};

}  // namespace pedro
