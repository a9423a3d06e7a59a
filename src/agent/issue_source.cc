#include "agent/issue_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/forge_api.h"
#include "base/text.h"
#include "tools/gh_command.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxIssueBytes = 4u << 20;

/// Returns 32 for "32" and "#32"; 0 for other texts.
int issue_number_of(std::string_view spec) {
  if (spec.starts_with('#')) spec.remove_prefix(1);
  if (spec.empty() || spec.size() > 9 || !std::all_of(spec.begin(), spec.end(), is_digit)) return 0;
  return std::stoi(std::string(spec));
}

Result<Issue> from_text(std::string_view text, std::string source) {
  if (trim(text).empty()) return usage_error("is empty");
  Issue issue = issue_from_text(text);
  issue.source = std::move(source);
  return issue;
}

Result<Issue> from_file(const std::string& path, const FileSystem& files) {
  const FileKind kind = files.info(path).kind;
  if (kind == FileKind::kMissing) return usage_error("no such file");
  if (kind != FileKind::kFile) return usage_error("not a file");
  const auto text = files.read(path, kMaxIssueBytes);
  if (!text) return usage_error(text.error().message);
  return from_text(*text, path);
}

std::string local_name(int number) {
  return fmt::format(".pedro/issues/{}.md", number);
}

Result<Issue> from_repository(int number, const IssueSources& sources) {
  auto issue = from_file(join_path(sources.root, local_name(number)), sources.files);
  if (!issue) return issue;
  issue->number = number;
  issue->source = local_name(number);
  return issue;
}

Result<Issue> from_gh(int number, const IssueSources& sources) {
  PEDRO_TRY(const auto answer, run_gh(sources.root,
                                      {"issue", "view", std::to_string(number), "--json",
                                       "number,title,body,comments,url"},
                                      sources.processes, sources.cancel));
  const auto json = parse_json(answer);
  if (!json) return usage_error("gh did not return JSON: " + json.error().message);
  Issue issue = issue_from_json(*json);
  issue.source = text_of(*json, "url", "gh");
  issue.at_forge = true;
  issue.at_github = true;
  return issue;
}

Result<Issue> from_api(int number, const IssueSources& sources) {
  PEDRO_TRY(const auto address,
            remote_address(sources.root, sources.remote, sources.processes, sources.cancel));
  PEDRO_TRY(const auto api, forge_api(sources.remote, address, sources.environment));
  Result<Issue> issue = fetch_issue(api, number, sources.http, sources.cancel);
  if (!issue) return issue;
  issue->at_forge = true;
  issue->at_github = api.kind == ForgeKind::kGithub;
  return issue;
}

/// Returns one line of a report; joins the lines of the reason.
std::string tried(std::string_view source, std::string_view reason) {
  return fmt::format("\n  {}: {}", source, replace_all(trim(reason), "\n", " | "));
}

Result<Issue> by_number(int number, const IssueSources& sources) {
  struct Row {
    std::string name;
    Result<Issue> (*fetch)(int number, const IssueSources& sources);
  };
  const Row rows[] = {
      {local_name(number), from_repository}, {"gh issue view", from_gh}, {"REST API", from_api}};
  std::string report;
  for (const Row& row : rows) {
    auto issue = row.fetch(number, sources);
    if (issue) {
      if (issue->number == 0) issue->number = number;
      return issue;
    }
    if (issue.error().kind == ErrorKind::kInterrupted) return issue;
    report += tried(row.name, issue.error().message);
  }
  return usage_error(fmt::format("cannot get issue {}; write it to {} or give a file:{}", number,
                                 local_name(number), report));
}

}  // namespace

Result<Issue> fetch_issue(const std::string& spec, const IssueSources& sources) {
  const auto could_not = [&](const Error& error) {
    return usage_error(fmt::format("cannot get issue '{}'; give a number, a file or '-':{}", spec,
                                   tried(spec == "-" ? "stdin" : spec, error.message)));
  };
  if (spec == "-") {
    auto issue = from_text(sources.stdin_text.value_or(""), "stdin");
    return issue ? issue : could_not(issue.error());
  }
  const int number = issue_number_of(spec);
  if (number > 0) return by_number(number, sources);
  auto issue = from_file(spec, sources.files);
  return issue ? issue : could_not(issue.error());
}

}  // namespace pedro
