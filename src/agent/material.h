#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Something a post is made from.
struct Source {
  std::string name;  ///< a path or an address
  std::string text;
  bool is_cited = true;   ///< where something is taken from it; the author's own words are not
  std::string link = {};  ///< of a file in the project, its path from the post; "" otherwise
};

/// All that a post may rely on: what it cites or links to has to stand there. Blanks, quotation
/// marks and dashes count as the same in whatever form.
class Material {
 public:
  void add(Source source) { sources_.push_back(std::move(source)); }
  /// What the author said of the post: no source, but its words and links may be used.
  void add_wish(std::string text) { wishes_.push_back(std::move(text)); }
  const std::vector<Source>& sources() const { return sources_; }

  /// True where these words stand in some source, as whole words; no words do nowhere.
  bool has_words(std::string_view words) const;
  /// True where the address is a source's name or stands in one as a whole. A place in the post
  /// itself ("#…") is none: its headings have no names.
  bool has_link(std::string_view address) const;

  struct Chunk {
    std::size_t source;  ///< its place in sources()
    std::string text;
  };
  /// The texts of all sources in pieces of at most `max_bytes`, cut at ends of lines where there
  /// are some; nothing is left out.
  std::vector<Chunk> chunks(std::size_t max_bytes) const;

 private:
  std::vector<Source> sources_;
  std::vector<std::string> wishes_;
};

/// What a post says that its material does not: links and quotations. A sentence each.
std::vector<std::string> unsupported(std::string_view markdown, const Material& material);

}  // namespace pedro
