#include "tools/issue.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTitleBytes = 300;
constexpr std::size_t kMaxAuthorBytes = 60;
constexpr long long kMaxNumber = 999'999'999;

std::string clean(std::string_view text) {
  return std::string(trim(make_printable(replace_all(text, "\r\n", "\n"))));
}

/// Converts a text to one line without blanks at its ends.
std::string trimmed_line(std::string_view text, std::size_t max_bytes) {
  const std::string line = one_line(text.substr(0, 4 * max_bytes));
  return std::string(trim(truncate_utf8(trim(line), max_bytes)));
}

std::string author_of(const Json& json) {
  const std::string login = text_of(member(json, "author"), "login");  // gh
  const std::string& author = login.empty() ? text_of(member(json, "user"), "login") : login;
  return author.empty() ? "unknown" : trimmed_line(author, kMaxAuthorBytes);
}

// Returns the text after leading front matter, comments and a byte order mark. Sets `title` to the
// front matter's. Returns the whole text if nothing else is left.
std::string_view without_preface(std::string_view text, std::string_view& title) {
  text = without_byte_order_mark(text);
  std::string_view rest = trim(text);
  if (trim(rest.substr(0, rest.find('\n'))) == "---") {
    std::string_view named;
    for (std::size_t at = rest.find('\n'); at != std::string_view::npos; at = rest.find('\n', at)) {
      ++at;
      const std::string_view line = trim(rest.substr(at, rest.find('\n', at) - at));
      if (line.starts_with("title:")) named = trim(line.substr(6));
      if (line != "---") continue;
      rest = trim(rest.substr(std::min(rest.find('\n', at), rest.size())));
      title = named;
      break;
    }
  }
  while (rest.starts_with("<!--") && rest.find("-->") != std::string_view::npos) {
    rest = trim(rest.substr(rest.find("-->") + 3));
  }
  return rest.empty() ? trim(text) : rest;
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Truncates the end, so that a later truncation in the middle keeps the note.
void set_body(Issue& issue, std::string_view text) {
  issue.body = clean(text);
  const std::size_t bytes = issue.body.size();
  issue.body.resize(truncate_utf8(issue.body, kMaxIssueTextBytes).size());
  issue.omitted_bytes = bytes - issue.body.size();
}

std::size_t bytes_of(const Issue& issue) {
  std::size_t bytes = issue.body.size();
  for (const Comment& comment : issue.comments) bytes += comment.text.size();
  return bytes;
}

}  // namespace

Issue issue_from_text(std::string_view text) {
  Issue issue;
  std::string_view title;
  text = without_preface(text, title);
  if (!title.empty()) {
    issue.title = trimmed_line(without_quotes(title), kMaxTitleBytes);
    set_body(issue, text);
    return issue;
  }
  const std::string_view first = text.substr(0, text.find('\n'));
  const bool heading = first.starts_with("# ");
  issue.title = trimmed_line(heading ? first.substr(2) : first, kMaxTitleBytes);
  const std::string_view rest = text.substr(first.size());
  // A first line of its own is not repeated, unless the title is cut.
  const bool is_apart =
      issue.title == trim(first) && trim(rest.substr(0, rest.find('\n', 1))).empty();
  set_body(issue, heading || is_apart ? rest : text);
  return issue;
}

Issue issue_from_json(const Json& json) {
  Issue issue;
  const long long number = number_of(json, "number");
  if (number > 0 && number <= kMaxNumber) issue.number = static_cast<int>(number);
  issue.title = trimmed_line(text_of(json, "title"), kMaxTitleBytes);
  set_body(issue, text_of(json, "body"));
  append_comments(member(json, "comments"), issue);
  return issue;
}

void append_comments(const Json& comments, Issue& issue) {
  if (!comments.is_array()) return;
  for (const Json& json : comments) {
    std::string text = clean(text_of(json, "body"));
    const bool fits = issue.omitted_comments == 0 && issue.comments.size() < kMaxComments &&
                      bytes_of(issue) + text.size() <= kMaxIssueTextBytes;
    if (fits) {
      issue.comments.push_back({author_of(json), std::move(text)});
    } else {
      ++issue.omitted_comments;
    }
  }
}

std::string omitted_parts(const Issue& issue) {
  std::vector<std::string> parts;
  if (issue.omitted_bytes > 0) parts.push_back(count_of(issue.omitted_bytes, "more byte"));
  if (issue.omitted_comments > 0) parts.push_back(count_of(issue.omitted_comments, "more comment"));
  return parts.empty() ? "" : join(parts, " and ") + " left out";
}

std::string render(const Issue& issue) {
  std::string text = issue.number > 0 ? fmt::format("Issue #{}: {}\n", issue.number, issue.title)
                                      : issue.title + "\n";
  if (!issue.body.empty()) text += "\n" + issue.body + "\n";
  for (const Comment& comment : issue.comments) {
    text += fmt::format("\nComment by {}:\n{}\n", comment.author, comment.text);
  }
  const std::string omitted = omitted_parts(issue);
  return omitted.empty() ? text : fmt::format("{}\n[{}]\n", text, omitted);
}

}  // namespace pedro
