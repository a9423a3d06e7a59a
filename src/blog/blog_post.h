#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "blog/material.h"

namespace pedro {

/// A post under construction.
struct BlogPost {
  std::string title;
  std::string summary;
  std::string date;  ///< for example 2026-11-22
  std::string language;
  std::vector<std::string> tags;
  std::vector<std::string> tldr;
  struct Section {
    std::string heading;
    std::string text;
  };
  std::vector<Section> sections;
  struct Citation {
    std::string name;  ///< a URL or a path
    std::string
        link;  ///< relative link from the post's folder to a path; "" if readers lack that file
  };
  std::vector<Citation> cited;  ///< sources of the facts used
};

/// Returns the post below its title: the summary points, the sections with headings of level 2, and
/// the sources. URLs and project files are links; other files appear by base name only.
std::string body_of(const BlogPost& post);

/// Returns post.md: front matter and body.
std::string markdown_of(const BlogPost& post);

/// Returns post.html: a standalone page without scripts or fonts. Only images in the text are
/// external.
std::string page_of(const BlogPost& post);

/// Returns the problems of a post, one sentence each. These are Markdown lint, statements that its
/// material does not support, and an empty title or section.
std::vector<std::string> problems_of(const BlogPost& post, const Material& material);

/// Returns a folder name for a title: lower-case ASCII words joined by '-', at most 60 bytes.
/// Returns "post-" and a hash for a title without such words, "post" for an empty title.
std::string post_slug(std::string_view title);

}  // namespace pedro
