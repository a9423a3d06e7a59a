#include "git/commit_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/text.h"
#include "sys/environment.h"
#include "sys/scratch_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNaming = 200;
constexpr std::size_t kMaxTogetherBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxPathArguments = 1000;  // more may be too long for a command line

}  // namespace

Result<std::vector<ChangedFile>> CommitFiles::difference(const std::string& from,
                                                         const std::string& to) const {
  const auto listed =
      git_.run({"-c", "core.quotepath=on", "diff-tree", "-r", "--name-status", "--no-renames",
                "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", from, to, "--"});
  if (!listed) return listed.error();
  return parse_name_status(*listed);
}

Result<std::set<std::string>> CommitFiles::changed_between(
    const std::vector<std::string>& commits) const {
  std::string pairs;
  for (std::size_t i = 1; i < commits.size(); ++i)
    pairs += commits[i] + " " + commits[i - 1] + "\n";
  PEDRO_TRY(const std::string listed,
            git_.run({"-c", "core.quotepath=on", "diff-tree", "-r", "--stdin", "--no-commit-id",
                      "--name-status", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"},
                     {.input = pairs}));
  PEDRO_TRY(const auto files, parse_name_status(listed));
  std::set<std::string> paths;
  for (const ChangedFile& file : files) paths.insert(file.path);
  return paths;
}

Result<std::string> CommitFiles::text_at(const std::string& commit, const std::string& path) const {
  return git_.run({"cat-file", "blob", commit + ":" + path}, {.may_be_cut = true});
}

Result<std::map<std::string, std::string>> CommitFiles::texts_at(
    const std::string& commit, const std::set<std::string>& paths) const {
  std::map<std::string, std::string> texts;
  if (paths.empty()) return texts;
  PEDRO_TRY(std::vector<Entry> entries, list(commit, paths));
  const auto ids_of = [](const std::vector<Entry>& some) {
    std::string ids;
    for (const Entry& entry : some) ids += entry.id + "\n";
    return ids;
  };
  PEDRO_TRY(const std::string sizes,
            git_.run({"cat-file", "--batch-check=%(objectsize)"}, {.input = ids_of(entries)}));
  const auto lines = split_lines(sizes);
  std::vector<Entry> together;
  std::size_t room = kMaxTogetherBytes;
  for (std::size_t i = 0; i < std::min(lines.size(), entries.size()); ++i) {
    const auto size = number_from<std::size_t>(lines[i]);  // none of a missing object
    if (!size || *size > room || entries[i].mode == "160000") continue;
    room -= *size;
    together.push_back(std::move(entries[i]));
  }
  PEDRO_TRY(const std::string out,
            git_.run({"cat-file", "--batch=>%(objectname)"}, {.input = ids_of(together)}));
  std::size_t at = 0;  // of ">ID\nCONTENTS\n"
  for (std::size_t i = 0; i < together.size(); ++i) {
    const std::string head = ">" + together[i].id + "\n";
    if (out.compare(at, head.size(), head) != 0) break;
    const std::size_t begin = at + head.size();
    const bool is_last = i + 1 == together.size();
    const std::size_t end =
        is_last ? out.size() - 1 : out.find("\n>" + together[i + 1].id + "\n", begin);
    if (end == out.npos || end < begin) break;
    texts[together[i].path] = out.substr(begin, end - begin);
    at = end + 1;
  }
  return texts;
}

Result<std::set<std::string>> CommitFiles::paths_in(const std::string& commit,
                                                    const std::set<std::string>& paths) const {
  PEDRO_TRY(const auto entries, list(commit, paths));
  std::set<std::string> there;
  for (const Entry& entry : entries) there.insert(entry.path);
  return there;
}

Result<std::vector<std::string>> CommitFiles::not_in(const std::string& commit,
                                                     const std::set<std::string>& paths) const {
  std::vector<std::string> missing;
  if (paths.empty()) return missing;
  PEDRO_TRY(const auto there, paths_in(commit, paths));
  std::set_difference(paths.begin(), paths.end(), there.begin(), there.end(),
                      std::back_inserter(missing));
  return missing;
}

Result<std::vector<std::string>> CommitFiles::naming(const std::string& commit,
                                                     const std::string& word) const {
  PEDRO_TRY(const auto found, git_.ask({"-c", "core.quotepath=on", "grep", "--no-color", "-l", "-w",
                                        "-F", "-e", word, commit, "--"}));
  std::vector<std::string> paths;
  for (const std::string_view line : split_lines(found.out)) {
    const auto named = unquoted_path(line);  // "COMMIT:PATH"
    const bool is_path = named && named->size() > commit.size() + 1;
    if (is_path && paths.size() < kMaxNaming) paths.push_back(named->substr(commit.size() + 1));
  }
  return paths;
}

Result<std::map<std::string, std::string>> CommitFiles::submodules(
    const std::string& commit) const {
  PEDRO_TRY(const auto entries, list(commit, {}));
  std::map<std::string, std::string> found;
  for (const Entry& entry : entries) {
    if (entry.mode == "160000") found[entry.path] = entry.id;
  }
  return found;
}

Result<std::map<std::string, std::string>> CommitFiles::links(const std::string& commit) const {
  constexpr std::size_t kMaxLinks = 500;
  PEDRO_TRY(const auto entries, list(commit, {}));
  std::map<std::string, std::string> found;
  for (const Entry& entry : entries) {
    if (entry.mode != "120000" || found.size() == kMaxLinks) continue;
    PEDRO_TRY(found[entry.path], text_at(commit, entry.path));
  }
  return found;
}

Result<std::vector<std::string>> CommitFiles::moved_submodules(const std::string& from,
                                                               const std::string& to) const {
  // Format: ":MODE MODE ID ID STATUS\tPATH".
  constexpr std::string_view kSubmodule = "160000";
  PEDRO_TRY(const auto listed, git_.run({"-c", "core.quotepath=on", "diff-tree", "-r", "--raw",
                                         "--no-renames", from, to, "--"}));
  std::vector<std::string> moved;
  for (const std::string_view line : split_lines(listed)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.substr(0, tab).find(kSubmodule) > 8) continue;
    if (auto path = unquoted_path(line.substr(tab + 1))) moved.push_back(*std::move(path));
  }
  return moved;
}

Result<std::string> CommitFiles::with_paths_of(const std::string& from,
                                               const std::vector<ChangedFile>& paths,
                                               const std::string& to,
                                               const std::string& index) const {
  std::set<std::string> names;
  std::string removed;
  for (const ChangedFile& file : paths) {
    names.insert(file.path);
    removed.append(file.path) += '\0';
  }
  PEDRO_TRY(const auto entries, list(from, names));
  std::string added;
  for (const Entry& entry : entries) added += entry.line + "\n";
  auto done = git_.run({"read-tree", to}, {.index = index});
  if (done) {
    done = git_.run({"update-index", "--force-remove", "-z", "--stdin"},
                    {.input = removed, .index = index});
  }
  if (done && !added.empty()) {
    done = git_.run({"update-index", "--index-info"}, {.input = added, .index = index});
  }
  if (done) done = git_.run({"write-tree"}, {.index = index});
  (void)git_.files().remove(index);
  if (!done) return done.error();
  return std::string(trim(*done));
}

Status CommitFiles::check_out_below(const std::string& folder, const std::string& commit,
                                    const std::set<std::string>& paths) const {
  std::string names;
  for (const std::string& path : paths) names.append(path) += '\0';
  const std::string index = folder + ".index";
  auto done = git_.run({"read-tree", commit}, {.index = index});
  if (done) {
    std::vector<std::string> arguments = {"checkout-index", "--force", "--prefix=" + folder + "/"};
    if (paths.empty()) {
      arguments.emplace_back("--all");
    } else {
      arguments.insert(arguments.end(), {"-z", "--stdin"});
    }
    done = git_.run(std::move(arguments), {.input = std::move(names), .index = index});
  }
  (void)git_.files().remove(index);
  return done ? Status() : Status(done.error());
}

Result<CommitFiles::Differences> CommitFiles::compare(const std::string& commit,
                                                      const std::string& base,
                                                      const std::vector<ChangedFile>& files) const {
  PEDRO_TRY(const auto made, difference(base, commit));
  Differences differences;
  for (const ChangedFile& file : made) differences.otherwise.insert(file.path);
  std::set<std::string> here;
  std::set<std::string> gone;
  for (const ChangedFile& file : files) {
    differences.otherwise.erase(file.path);
    const FileKind kind = git_.files().link_info(join_path(git_.root(), file.path)).kind;
    if (kind == FileKind::kMissing) gone.insert(file.path);
    if (kind == FileKind::kFile || kind == FileKind::kSymlink) here.insert(file.path);
  }
  PEDRO_TRY(const auto missing, not_in(commit, here));
  PEDRO_TRY(const auto really_gone, not_in(commit, gone));
  for (const std::string& path : missing) here.erase(path);
  for (const std::string& path : really_gone) gone.erase(path);
  differences.otherwise.insert(gone.begin(), gone.end());
  differences.otherwise.insert(missing.begin(), missing.end());
  PEDRO_RETURN_IF_ERROR(compare_files(commit, here, differences));
  return differences;
}

// Compares the work tree with a checkout of the commit.
Status CommitFiles::compare_files(const std::string& commit, const std::set<std::string>& paths,
                                  Differences& differences) const {
  if (paths.empty()) return {};
  PEDRO_TRY(const auto scratch,
            ScratchFolder::make_outside(git_.root(), real_environment().get("TMPDIR")));
  const std::string folder = join_path(scratch.path(), "files");
  PEDRO_RETURN_IF_ERROR(check_out_below(folder, commit, paths));
  for (const std::string& path : paths) {
    const Likeness like =
        likeness(git_.files(), join_path(git_.root(), path), join_path(folder, path));
    if (like == Likeness::kOther) differences.otherwise.insert(path);
    if (like == Likeness::kOtherLineEnds) differences.line_ends.insert(path);
  }
  return {};
}

Result<std::vector<CommitFiles::Entry>> CommitFiles::list(
    const std::string& commit, const std::set<std::string>& paths) const {
  std::vector<std::string> arguments = {
      "-c", "core.quotepath=on", "ls-tree", "-r", "--full-tree", commit, "--"};
  const bool are_named = paths.size() <= kMaxPathArguments;
  if (are_named) arguments.insert(arguments.end(), paths.begin(), paths.end());
  PEDRO_TRY(const std::string listed,
            is_full_id(commit) ? git_.run_once(arguments) : git_.run(std::move(arguments)));
  std::vector<Entry> entries;
  for (const std::string_view line : split_lines(listed)) {  // "MODE TYPE ID\tPATH"
    const std::size_t tab = line.find('\t');
    const auto fields = split(line.substr(0, tab), ' ');
    auto path = tab == line.npos ? std::nullopt : unquoted_path(line.substr(tab + 1));
    if (!path || fields.size() != 3) {
      return usage_error(fmt::format("git ls-tree: cannot read '{}'", line.substr(0, 100)));
    }
    if (!are_named && !paths.contains(*path)) continue;
    entries.push_back(
        {std::string(fields[0]), std::string(fields[2]), *std::move(path), std::string(line)});
  }
  return entries;
}

}  // namespace pedro
