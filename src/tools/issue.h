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

/// An issue or a pull request from a tracker or a file. Its contents are untrusted: every text is
/// printable and bounded, and none is interpreted.
struct Issue {
  int number = 0;  ///< 0 if it has none
  std::string title;
  std::string body;
  std::size_t omitted_bytes = 0;  ///< missing at the end of the body
  std::vector<Comment> comments;  ///< oldest first
  int omitted_comments = 0;       ///< omitted or unavailable
  std::string source;             ///< origin: a path, "gh", a URL
  bool at_forge = false;          ///< read from the forge of the repository
  bool at_github = false;         ///< that forge is GitHub
};

constexpr std::size_t kMaxIssueTextBytes = 256 * 1024;  ///< of the body and all comments
constexpr std::size_t kMaxComments = 100;

/// Parses the text of an issue. Its title is a first line "# Title", else the first non-blank line.
Issue issue_from_text(std::string_view text);

/// Converts a response of GitHub's REST API or of `gh ... --json`. Includes the comments if they
/// are a list (in the REST API, `comments` is a count).
Issue issue_from_json(const Json& json);

/// Appends those `comments` (a list in either format) that fit completely, and counts the others.
void append_comments(const Json& comments, Issue& issue);

/// Returns "12 more bytes and 3 more comments left out"; "" if the issue is complete.
std::string omitted_parts(const Issue& issue);

/// Returns the issue as text for a prompt, with a note about omitted parts at the end.
std::string render(const Issue& issue);

}  // namespace pedro
