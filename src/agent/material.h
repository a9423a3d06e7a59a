#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/stated_numbers.h"
#include "agent/word_index.h"

namespace pedro {

/// Something a post is made from.
struct Source {
  std::string name;  ///< a path or an address
  std::string text;
  bool is_cited = true;   ///< where something is taken from it; the author's own words are not
  std::string link = {};  ///< of a file in the project, its path from the post; "" otherwise
};

/// All that a post may rely on: what it cites, links to or counts is in there. Blanks, quotation
/// marks and dashes count as the same in whatever form.
class Material {
 public:
  void add(Source source);
  /// Adds the author's request. It is not a source, but a post may use its words, numbers and
  /// links.
  void add_wish(std::string text);
  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<std::string>& wishes() const { return wishes_; }

  /// True where these words stand in some source, as whole words; no words do nowhere.
  bool has_words(std::string_view words) const;
  /// True where the address is a source's name or stands in one as a whole. A place in the post
  /// itself ("#…") is none: its headings have no names.
  bool has_link(std::string_view address) const;
  /// Returns the numbers of a text that the material lacks, in the spelling of the text.
  std::vector<std::string> missing_numbers(std::string_view text) const {
    return numbers_.missing_in(text);
  }
  const WordIndex& words() const { return words_; }

 private:
  std::vector<Source> sources_;
  std::vector<std::string> wishes_;
  StatedNumbers numbers_;
  WordIndex words_;
};

/// Describes the links, quotations and numbers of a post that the material lacks, one sentence
/// each.
std::vector<std::string> unsupported(std::string_view markdown, const Material& material);

}  // namespace pedro
