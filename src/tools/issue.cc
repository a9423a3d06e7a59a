#include "tools/issue.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTitleBytes = 300;
constexpr std::size_t kMaxAuthorBytes = 60;
constexpr std::size_t kMinCommentBytes = 500;  // less room than this is no room
constexpr long long kMaxNumber = 999'999'999;

std::string bounded(std::string_view text, std::size_t max_bytes) {
  const std::string lines = make_printable(replace_all(text, "\r\n", "\n"));
  return cut_middle(trim(lines), max_bytes, "");
}

/// One line, without blanks at its ends.
std::string one_line(std::string_view text, std::size_t max_bytes) {
  std::string line = make_printable(text.substr(0, 4 * max_bytes));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return std::string(trim(truncate_utf8(trim(line), max_bytes)));
}

std::string author_of(const Json& json) {
  const std::string login = text_of(member(json, "author"), "login");  // gh
  const std::string& author = login.empty() ? text_of(member(json, "user"), "login") : login;
  return author.empty() ? "unknown" : one_line(author, kMaxAuthorBytes);
}

std::size_t bytes_of(const std::vector<Comment>& comments) {
  std::size_t bytes = 0;
  for (const Comment& comment : comments) bytes += comment.text.size();
  return bytes;
}

}  // namespace

Issue issue_from_text(std::string_view text) {
  Issue issue;
  text = trim(text);
  const std::string_view first = text.substr(0, text.find('\n'));
  const bool heading = first.starts_with("# ");
  issue.title = one_line(heading ? first.substr(2) : first, kMaxTitleBytes);
  issue.body = bounded(heading ? text.substr(first.size()) : text, kMaxIssueBodyBytes);
  return issue;
}

Issue issue_from_json(const Json& json) {
  Issue issue;
  const long long number = number_of(json, "number");
  if (number > 0 && number <= kMaxNumber) issue.number = static_cast<int>(number);
  issue.title = one_line(text_of(json, "title"), kMaxTitleBytes);
  issue.body = bounded(text_of(json, "body"), kMaxIssueBodyBytes);
  append_comments(member(json, "comments"), issue);
  return issue;
}

void append_comments(const Json& comments, Issue& issue) {
  if (!comments.is_array()) return;
  for (const Json& json : comments) {
    const std::size_t used = bytes_of(issue.comments);
    // Neither ever gets smaller, so what follows one that is left out is left out too.
    if (issue.comments.size() >= kMaxComments || used + kMinCommentBytes > kMaxCommentsBytes) {
      ++issue.omitted_comments;
      continue;
    }
    issue.comments.push_back(
        {author_of(json), bounded(text_of(json, "body"), kMaxCommentsBytes - used)});
  }
}

std::string render(const Issue& issue, std::size_t max_bytes) {
  std::string text = issue.number > 0 ? fmt::format("Issue #{}: {}\n", issue.number, issue.title)
                                      : issue.title + "\n";
  if (!issue.body.empty()) text += "\n" + issue.body + "\n";
  for (const Comment& comment : issue.comments) {
    text += fmt::format("\nComment by {}:\n{}\n", comment.author, comment.text);
  }
  if (issue.omitted_comments > 0) {
    text += fmt::format("\n[{} more comment{} left out]\n", issue.omitted_comments,
                        issue.omitted_comments == 1 ? "" : "s");
  }
  return cut_middle(text, max_bytes, "");
}

}  // namespace pedro
