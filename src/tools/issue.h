#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

struct Comment {
  std::string author;
  std::string text;
};

/// An issue or a pull request, as a tracker or a file has it. Written by strangers: every text is
/// printable, bounded, and means nothing to us.
struct Issue {
  int number = 0;  ///< 0 where it has none
  std::string title;
  std::string body;
  std::size_t omitted_bytes = 0;  ///< of the body's end
  std::vector<Comment> comments;  ///< oldest first
  int omitted_comments = 0;       ///< that did not fit, or could not be had
  std::string source;             ///< where it came from: a path, "gh", an address
  bool at_github = false;         ///< that is where it was read
};

constexpr std::size_t kMaxIssueTextBytes = 256 * 1024;  ///< of the body and the comments together
constexpr std::size_t kMaxComments = 100;

/// The text of an issue: a first line "# Title" is its title, else the first line that is not
/// blank is.
Issue issue_from_text(std::string_view text);

/// An issue from what GitHub's REST API or `gh … --json` answers, with the comments where they are
/// a list in it (`comments` is a count in the former).
Issue issue_from_json(const Json& json);

/// Appends the `comments`, a list in either notation, that fit completely; counts the others.
void append_comments(const Json& comments, Issue& issue);

/// "12 more bytes and 3 more comments left out"; "" where the issue is complete.
std::string omitted_parts(const Issue& issue);

/// The issue as text for a prompt, with the omitted parts named at its end.
std::string render(const Issue& issue);

}  // namespace pedro
