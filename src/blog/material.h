#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/word_index.h"
#include "blog/stated_facts.h"

namespace pedro {

/// A source of a post.
struct Source {
  std::string name;  ///< a path or a URL
  std::string text;
  bool is_cited = true;   ///< false for the author's own words
  std::string link = {};  ///< for a project file: its path relative to the post; else ""
};

/// The material that a post may use: its quotations, links and numbers must occur here. Ignores the
/// forms of blanks, quotation marks and dashes.
class Material {
 public:
  void add(Source source);
  /// Adds the author's request. It is not a source, but a post may use its words, numbers and
  /// links.
  void add_wish(std::string text);
  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<std::string>& wishes() const { return wishes_; }

  /// Returns true if a source or the request contains these words as whole words. False for no
  /// words.
  bool has_words(std::string_view words) const;
  /// Returns true if the address is a source's name, or occurs as a whole in a source or the
  /// request. False for "#…": headings of a post have no anchors.
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

/// Returns the links, quotations and numbers of a post that the material lacks, one sentence each.
std::vector<std::string> unsupported(std::string_view markdown, const Material& material);

}  // namespace pedro
