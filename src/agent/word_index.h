#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pedro {

/// The words that carry the content of a text, each as often as it occurs: of four letters or more,
/// without the common words of English, cut to a stem, so that "rolled" and "rolls" are one.
std::vector<std::string> key_words(std::string_view text);

/// The words of texts, to find out how much another text says of the same things. Example:
///
///   WordIndex notes;
///   notes.add("the migration locked the table");
///   notes.share_of("A migration locks tables.");  // 1
class WordIndex {
 public:
  void add(std::string_view text);

  /// The share of the key words of `text` that the added texts have, 0 to 1; 1 where it has none.
  double share_of(std::string_view text) const;

  /// True where `text` is long enough to tell, and most of its short words are among those of the
  /// added texts: a translation has other ones.
  bool shares_language(std::string_view text) const;

 private:
  std::unordered_set<std::string> stems_;
  std::unordered_set<std::string> short_words_;
};

}  // namespace pedro
