#include "tools/text_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <tuple>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/count_of.h"
#include "tools/file_list.h"
#include "tools/git_command.h"
#include "tools/text_file.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxMatches = 50'000;  // far more than are ever shown
constexpr std::size_t kMaxSearchOutputBytes = 8u << 20;
constexpr std::size_t kMaxArgumentBytes = 64 * 1024;  // total length of the paths of one command
constexpr std::size_t kMaxMatchLineBytes = 240;

Command rg_command(const std::string& rg) {
  Command command;
  // Sorted, so that the same tree yields the same output.
  command.argv = {rg,
                  "--no-config",
                  "--color=never",
                  "--no-heading",
                  "--line-number",
                  "--column",
                  "--null",
                  "--hidden",
                  "--with-filename",
                  "--glob=!.git",
                  "--sort=path",
                  "--no-require-git"};
  return command;
}

// If `searches_files`, the paths are files, and ignore rules do not apply.
Command grep_command(const TextQuery& query, bool outside_repository, bool searches_files) {
  std::vector<std::string> arguments = {"grep",   "--no-color", "--line-number", "--column",
                                        "--null", "-I",         "--no-full-name"};
  if (searches_files) {
    arguments.emplace_back("--no-index");
  } else if (outside_repository) {
    arguments.emplace_back("--no-index");
    arguments.emplace_back("--exclude-standard");
  } else {
    arguments.emplace_back("--untracked");
  }
  if (query.kind == PatternKind::kRegex) arguments.emplace_back("--extended-regexp");
  return git_command("", std::move(arguments));
}

void add_query(Command& command, const TextQuery& query) {
  if (query.kind != PatternKind::kRegex) command.argv.emplace_back("--fixed-strings");
  if (query.kind == PatternKind::kLiteralWord) command.argv.emplace_back("--word-regexp");
  if (query.letters == LetterCase::kIgnored) command.argv.emplace_back("--ignore-case");
  command.argv.emplace_back("-e");
  command.argv.push_back(query.pattern);
  command.argv.emplace_back("--");
}

// The NUL after a path, in printable output.
constexpr std::string_view kNul = "\xEF\xBF\xBD";

// Removes "12:" from the start; git writes NUL instead of ':'.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t separator = rest.starts_with(':')    ? 1
                                : rest.starts_with(kNul) ? kNul.size()
                                                         : 0;
  if (separator == 0) return std::nullopt;
  text = rest.substr(separator);
  return number;
}

// Parses PATH NUL LINE : COLUMN : TEXT. Bytes in a path that are not UTF-8 look like the NUL.
std::optional<TextMatch> parse_match(std::string_view line) {
  for (std::size_t at = line.find(kNul); at != std::string_view::npos;
       at = line.find(kNul, at + 1)) {
    std::string_view rest = line.substr(at + kNul.size());
    const auto number = take_number(rest);
    const auto column = number ? take_number(rest) : std::nullopt;
    if (!column) continue;
    std::string_view path = line.substr(0, at);
    while (path.starts_with("./")) path.remove_prefix(2);
    if (rest.ends_with('\r')) rest.remove_suffix(1);
    if (*number == 1) rest = without_byte_order_mark(rest);
    return TextMatch{std::string(path), *number, *column, std::string(rest)};
  }
  return std::nullopt;
}

Error failed(const TextQuery& query, const ProcessResult& result, double timeout_s) {
  if (result.idle_s > 0) {
    return Error{ErrorKind::kRefused,
                 "the search did nothing for 20 s; is a .gitignore a pipe? remove it"};
  }
  if (result.timed_out) {
    return Error{ErrorKind::kRefused,
                 fmt::format("the search took more than {} s; give a directory or a file_pattern",
                             timeout_s)};
  }
  const std::string reason(truncate_utf8(trim(result.err.empty() ? result.out : result.err), 400));
  const std::string_view hint =
      query.kind == PatternKind::kRegex ? "\n\"literal\": true searches for the exact text" : "";
  return Error{ErrorKind::kRefused, fmt::format("the search failed: {}{}", reason, hint)};
}

Status run_search(ToolContext& context, const TextQuery& query, Command command,
                  TextMatches& found) {
  command.idle_timeout_s = kListIdle_s;
  const auto result = context.processes.run(command, context.cancel);
  if (!result) {
    if (result.error().kind == ErrorKind::kInterrupted) return result.error();
    return Error{ErrorKind::kRefused, "cannot search: " + result.error().message};
  }
  const std::size_t before = found.matches.size();
  for (const std::string_view line : split_lines(result->out)) {
    if (auto match = parse_match(line)) found.matches.push_back(std::move(*match));
  }
  if (result->out_cut) found.complete = false;
  // 1 means no matches. With matches, errors such as an unreadable file do not fail the search.
  if (result->exit_code <= 1 && !result->timed_out) return {};
  if (found.matches.size() > before) {
    found.complete = false;
    return {};
  }
  return failed(query, *result, context.timeout_s);
}

// Appends paths from `next` on, up to the limit of one command line.
void add_paths(Command& command, const std::vector<std::string>& paths, std::size_t& next) {
  std::size_t bytes = 0;
  while (next < paths.size() && bytes < kMaxArgumentBytes) {
    bytes += paths[next].size() + 3;
    command.argv.push_back("./" + paths[next++]);
  }
}

// Returns the part of a long line around its match.
std::string cut_around(std::string_view text, std::size_t column) {
  if (text.size() <= kMaxMatchLineBytes) return std::string(text);
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kKept = kMaxMatchLineBytes - 8;  // "... " at both ends
  const std::size_t at = std::min(column, text.size()) - (column > 0 ? 1 : 0);
  const std::size_t begin = std::min(at - std::min(at, kBefore), text.size() - kKept);
  const std::string_view tail = tail_utf8(text, text.size() - begin);
  const std::string_view kept = truncate_utf8(tail, kKept);
  return fmt::format("{}{}{}", begin > 0 ? "... " : "", kept,
                     kept.size() < tail.size() ? " ..." : "");
}

}  // namespace

Result<TextMatches> search_text(ToolContext& context, const TextQuery& query,
                                const std::vector<std::string>& paths) {
  if (query.pattern.find_first_of(std::string_view("\n\0", 2)) != std::string::npos) {
    return Error{ErrorKind::kRefused, "a pattern is one line of text"};
  }
  TextMatches found;
  if (paths.empty()) return found;
  const WorkTree& tree = context.tree;
  const bool files = tree.files().info(join_path(tree.root(), paths[0])).kind == FileKind::kFile;
  Command base;
  if (const std::string rg = context.processes.find("rg"); !rg.empty()) {
    base = rg_command(rg);
  } else {
    PEDRO_TRY(const auto in_repository, in_git_repository(context));
    base = grep_command(query, !in_repository, files);
  }
  add_query(base, query);
  base.folder = tree.root();
  base.max_output_bytes = kMaxSearchOutputBytes;
  base.timeout_s = context.timeout_s;
  for (std::size_t next = 0; next < paths.size();) {
    Command command = base;
    add_paths(command, paths, next);
    PEDRO_RETURN_IF_ERROR(run_search(context, query, command, found));
    if (found.matches.size() < kMaxMatches || next == paths.size()) continue;
    found.complete = false;
    break;
  }
  std::sort(found.matches.begin(), found.matches.end(), [](const auto& a, const auto& b) {
    return std::tie(a.path, a.line) < std::tie(b.path, b.line);
  });
  return found;
}

std::string format_matches(const TextMatches& found, std::size_t max_results,
                           std::string_view how) {
  std::string out;
  const std::size_t shown = std::min(found.matches.size(), max_results);
  for (std::size_t i = 0; i < shown; ++i) {
    const TextMatch& match = found.matches[i];
    out += fmt::format("{}:{}: {}\n", match.path, match.line, cut_around(match.text, match.column));
  }
  const std::size_t left = found.matches.size() - shown;
  if (left == 0 && found.complete) return out;
  std::set<std::string_view> files;
  for (std::size_t i = shown; i < found.matches.size(); ++i) files.insert(found.matches[i].path);
  return out + fmt::format("[... {}{} in {}; {} ...]\n", found.complete ? "" : "at least ",
                           count_of(left, "more match"), count_of(files.size(), "file"), how);
}

}  // namespace pedro
