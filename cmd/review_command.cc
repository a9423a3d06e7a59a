#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/build_report.h"
#include "agent_flags.h"
#include "base/marked_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "git/repository.h"
#include "read_job.h"
#include "review/change_source.h"
#include "review/finding.h"
#include "review/review_run.h"
#include "tools/gh_command.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxSarifBytes = 64u << 20;

struct ReviewOptions : ReadOptions {
  ChangeChoice change;
  std::string sarif;
  bool post = false;
};

Status check_flags(const CommandContext& context, const ReviewOptions& options) {
  const ChangeChoice& change = options.change;
  const int named = static_cast<int>(!change.branch.empty()) + (change.pull_request > 0 ? 1 : 0) +
                    static_cast<int>(!change.range.empty()) + (change.staged ? 1 : 0);
  if (named > 1) return usage_error("-branch, -pr, -range and -staged: one change at a time");
  if (options.sarif == "-" && context.global.json) {
    return usage_error("-sarif - and -json both need standard output");
  }
  if (!options.post) return {};
  if (change.pull_request == 0) return usage_error("-post comments on a pull request: give -pr N");
  if (context.processes.find("gh").empty())
    return usage_error("-post needs gh, which is not in PATH");
  return {};
}

bool is_sarif(const FileSystem& files, const std::string& path) {
  const Result<std::string> text = files.read(path, kMaxSarifBytes);
  if (!text) return false;
  if (trim(*text).empty()) return true;
  const Result<Json> json = parse_json(*text);
  return json && text_of(*json, "version") == "2.1.0" && member(*json, "runs").is_array();
}

// Requires that the output file does not exist, or is SARIF of an earlier review.
Status check_sarif(const CommandContext& context, const ReviewOptions& options,
                   const std::string& root) {
  if (options.sarif.empty() || options.sarif == "-") return {};
  const Result<std::string> folder =
      context.files.canonical(std::string(folder_name(options.sarif)));
  if (!folder) return usage_error("-sarif " + folder.error().message);
  const FileKind kind = context.files.info(options.sarif).kind;
  if (kind != FileKind::kMissing && kind != FileKind::kFile) {
    return usage_error("-sarif " + options.sarif + ": is not a file");
  }
  if (is_below(*folder, join_path(root, ".git"))) {
    return usage_error("-sarif " + options.sarif + ": is in .git");
  }
  if (kind == FileKind::kMissing || is_sarif(context.files, options.sarif)) return {};
  return usage_error("-sarif " + options.sarif + ": exists, but is not SARIF; name a new file");
}

Status write_sarif(CommandContext& context, const std::string& path, const ReviewResult& result,
                   bool whole) {
  const std::string text =
      to_pretty(to_sarif(result.findings, result.not_reviewed, whole, PEDROCLI_VERSION)) + "\n";
  if (path == "-") {
    print(text);
    return {};
  }
  return context.files.write_atomic(path, text, 0644);
}

// Masks a hunk as a whole, because only the first line of a private key identifies it.
void hide_secrets(const Secrets& secrets, DiffHunk& hunk) {
  std::string text;
  for (const DiffLine& line : hunk.lines) text += line.text + "\n";
  const std::string hidden = secrets.hide_lines(std::move(text));
  const std::vector<std::string_view> lines = split_lines(hidden);
  for (std::size_t i = 0; i < hunk.lines.size(); ++i) {
    hunk.lines[i].text = i < lines.size() ? lines[i] : "";
  }
}

void hide_secrets(const Secrets& secrets, Change& change) {
  change.title = secrets.hide(std::move(change.title));
  change.text = secrets.hide(std::move(change.text));
  for (DiffFile& file : change.files) {
    for (DiffHunk& hunk : file.hunks) hide_secrets(secrets, hunk);
  }
}

Status post(CommandContext& context, const std::string& root, int pull_request,
            const std::string& commit, const ReviewResult& result) {
  const std::string route = fmt::format("repos/{{owner}}/{{repo}}/pulls/{}/reviews", pull_request);
  const auto answer =
      run_gh(root, {"api", "--method", "POST", route, "--input", "-"}, context.processes,
             context.cancel, to_line(to_github_review(result, commit)));
  return answer ? Status() : Status(answer.error());
}

Result<int> run_review(CommandContext& context, const ReviewOptions& options) {
  PEDRO_RETURN_IF_ERROR(check_flags(context, options));
  PEDRO_TRY(ReadSetup setup, prepare_reading(context, options));
  const std::string& root = setup.tree.root();
  PEDRO_RETURN_IF_ERROR(check_sarif(context, options, root));
  PEDRO_RETURN_IF_ERROR(Repository::open(context.files, context.processes, context.cancel, root));
  PEDRO_TRY(Change change,
            read_change(options.change, root, context.files, context.processes, context.cancel));
  PEDRO_TRY(ModelRegistry registry, registry_of(setup.config));
  ServerConnections connections(context, std::move(registry));
  hide_secrets(*setup.secrets, change);
  const std::string title = "Review of " + make_printable(change.title);
  const std::string about = marked("description", change.title + "\n\n" + change.text);
  // Includes the lines of the diff, so that -resume requires the same diff.
  const std::vector<std::string> left_out = change.left_out;
  ReviewPlace place(std::move(change.files), setup.tree, setup.kit.feedback);
  const auto conclude = [&](const WorkflowResult& end, const PhaseOutputs& outputs,
                            const Executor& executor) -> Result<JobOutcome> {
    ReviewResult result = place.result(outputs);
    result.not_reviewed.insert(result.not_reviewed.end(), left_out.begin(), left_out.end());
    const bool whole = end.end == WorkflowResult::End::kDone && place.unread().empty() &&
                       result.no_verdict.empty();
    JobOutcome outcome{.outcome = whole ? "done" : "limit",
                       .exit_code = whole ? kExitDone : kExitLimit,
                       .report = review_report(title, end, result) + cost_lines(executor),
                       .result = to_json(result),
                       .print_report = options.sarif != "-"};
    const std::string again = command_to_go_on(context, setup);
    if (!options.sarif.empty()) {
      outcome.outside.push_back(
          {"-sarif",
           [&, result, whole] { return write_sarif(context, options.sarif, result, whole); },
           again});
    }
    if (options.post) {
      outcome.outside.push_back({"-post",
                                 [&, result] {
                                   return post(context, root, options.change.pull_request,
                                               change.commit, result);
                                 },
                                 again, true});
    }
    return outcome;
  };
  return run_read_job(context, setup, options, {title, about, place.identity()}, place, connections,
                      conclude);
}

}  // namespace

CommandFunction add_review_command(CLI::App& command) {
  auto options = std::make_shared<ReviewOptions>();
  options->agent = "review";
  command.add_option("--branch", options->change.branch,
                     "Review this branch's changes against the main branch");
  command.add_option("--pr", options->change.pull_request, "Review this pull request, with gh")
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--range", options->change.range, "Review A..B or A...B, as in git diff");
  command.add_flag("--staged", options->change.staged,
                   "Review staged changes (default: all uncommitted changes)");
  command.add_option("--sarif", options->sarif,
                     "Write the findings as SARIF 2.1.0 to this file, or -");
  command.add_flag("--post", options->post, "Post the findings as comments on the pull request");
  add_read_flags(command, *options);
  return [options](CommandContext& context) {
    return run_agent(context, *options, [&] { return run_review(context, *options); });
  };
}

}  // namespace pedro
