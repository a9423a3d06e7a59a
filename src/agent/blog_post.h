#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/material.h"
#include "base/json.h"

namespace pedro {

/// A post as it comes together.
struct BlogPost {
  std::string title;
  std::string summary;
  std::string date;  ///< 2026-11-22
  std::string language;
  std::vector<std::string> tags;
  std::vector<std::string> tldr;
  struct Section {
    std::string heading;
    std::string text;
  };
  std::vector<Section> sections;
  struct Citation {
    std::string name;  ///< an address, or a path
    std::string
        link;  ///< of a path, that from the post's folder; "" where readers have no such file
  };
  std::vector<Citation> cited;  ///< sources that facts were taken from
};

/// The post below its title: what is in short, the sections with headings of level 2, the sources.
/// Addresses and files of the project are links; of another file only its own name is told.
std::string body_of(const BlogPost& post);

/// post.md: front matter and body.
std::string markdown_of(const BlogPost& post);

/// post.html: a page of its own without scripts or fonts; only the images of its text come from
/// elsewhere.
std::string page_of(const BlogPost& post);

/// What is wrong with a post: the lint of its Markdown, what its material does not say, an empty
/// title or section. A sentence each.
std::vector<std::string> problems_of(const BlogPost& post, const Material& material);

/// A folder's name for a title: lower-case ASCII words joined by '-', at most 60 bytes; where
/// there are none "post-" and a hash, "post" of no title.
std::string post_slug(std::string_view title);

}  // namespace pedro
