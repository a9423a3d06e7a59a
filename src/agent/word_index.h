#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pedro {

/// Returns the content words of a text with repetitions: four letters or more, no common English
/// words, reduced to a stem, so that "rolled" equals "rolls".
std::vector<std::string> key_words(std::string_view text);

/// Measures the overlap of a text with other texts by content words. Example:
///
///   WordIndex notes;
///   notes.add("the migration locked the table");
///   notes.share_of("A migration locks tables.");  // 1
class WordIndex {
 public:
  void add(std::string_view text);

  /// Returns the share of content words of `text` that the added texts have, 0 to 1. 1 for a text
  /// without any.
  double share_of(std::string_view text) const;

  /// True if `text` is long enough and the added texts have most of its short words, as texts of
  /// one language do.
  bool shares_language(std::string_view text) const;

 private:
  std::unordered_set<std::string> stems_;
  std::unordered_set<std::string> short_words_;
};

}  // namespace pedro
