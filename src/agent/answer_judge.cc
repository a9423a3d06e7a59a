#include "agent/answer_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/answers.h"
#include "agent/known_failures.h"
#include "agent/project_summary.h"
#include "base/text.h"
#include "tools/checks.h"
#include "tools/text_file.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFailureBytes = 2500;
constexpr int kKnownChecks = 3;  // completed checks before measured times are reliable

std::string key_of(const FileTexts& changes) {
  std::string key;
  for (const auto& [path, text] : changes)
    key += fmt::format("{}\n{}\n{}", path, text.size(), text);
  return key;
}

bool has_timed_out(const std::vector<CheckOutcome>& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const CheckOutcome& outcome) { return outcome.timed_out; });
}

bool improves(const CheckedChanges& changes, const CheckedChanges& other) {
  if (changes.passed != other.passed) return changes.passed > other.passed;
  return FailingLines(changes.output).improves(FailingLines(other.output));
}

double longest_of(const std::vector<CheckOutcome>& outcomes) {
  double longest_s = 0;
  for (const CheckOutcome& outcome : outcomes)
    longest_s = std::max(longest_s, outcome.duration_s - outcome.stalled_s);
  return longest_s;
}

}  // namespace

Status AnswerJudge::begin(std::vector<TaskFile> files) {
  files_ = std::move(files);
  PEDRO_TRY(const std::vector<CheckOutcome> outcomes, tree_.outcomes(executor_.calls()));
  longest_s_ = longest_of(outcomes);
  best_ = unchanged_ = checked({}, outcomes);
  return {};
}

FileTexts AnswerJudge::without_unchanged(FileTexts changes) const {
  std::erase_if(changes, [&](const auto& change) {
    const TaskFile* file = file_at(files_, change.first);
    return file != nullptr && trim(file->text) == trim(change.second);
  });
  return changes;
}

CheckedChanges AnswerJudge::checked(FileTexts changes,
                                    const std::vector<CheckOutcome>& outcomes) const {
  CheckedChanges result;
  result.changes = std::move(changes);
  for (const CheckOutcome& outcome : outcomes) {
    result.passed += outcome.passed ? 1U : 0U;
    if (!outcome.passed) result.output += outcome.output + "\n";
  }
  result.failures = failures_text(outcomes, kMaxFailureBytes, parts_.feedback);
  return result;
}

Result<bool> AnswerJudge::judge(FileTexts changes, const CheckLimit& limit) {
  changes = without_unchanged(std::move(changes));
  if (changes.empty() || !judged_.insert(key_of(changes)).second) return false;
  const Result<bool> written = write(changes);
  if (!written) return written;
  if (*written) {
    const Result<std::vector<CheckOutcome>> outcomes = run_checks(limit);
    if (!outcomes) {
      (void)restore(changes);  // unchecked changes are not kept
      return outcomes.error();
    }
    if (tree_.known_failures().accept(*outcomes)) {
      accepted_ = std::move(changes);
      return true;
    }
    CheckedChanges reached = checked(changes, *outcomes);
    if (improves(reached, best_)) best_ = std::move(reached);
  }
  PEDRO_RETURN_IF_ERROR(take_back(changes));
  return false;
}

// Runs the checks with a time limit, since an answer may loop forever.
Result<std::vector<CheckOutcome>> AnswerJudge::run_checks(const CheckLimit& limit) {
  const double least_s = completed_ < kKnownChecks ? limit.first_least_s : limit.least_s;
  tree_.limit_checks(std::max(least_s, limit.factor * longest_s_));
  Result<std::vector<CheckOutcome>> checked = tree_.outcomes(executor_.calls());
  tree_.limit_checks(0);
  if (!checked) return checked;
  for (const CheckOutcome& outcome : *checked) checked_s_ += outcome.duration_s;
  if (checked->empty() || has_timed_out(*checked)) return checked;
  ++completed_;
  longest_s_ = std::max(longest_s_, longest_of(*checked));
  return checked;
}

// Returns false if the policy or the work tree refuses a file.
Result<bool> AnswerJudge::write(const FileTexts& answer) {
  for (const auto& [path, text] : answer) {
    const TaskFile* file = file_at(files_, path);
    const std::string content = file == nullptr ? text : with_line_ends_of(*file, text);
    PEDRO_TRY(const ToolResult result,
              executor_.run_made_call("file",
                                      {{"action", "write"}, {"path", path}, {"content", content}}));
    if (!result.ok) return false;
  }
  return true;
}

Status AnswerJudge::restore(const FileTexts& answer) {
  for (const auto& [path, text] : answer) {
    PEDRO_TRY(const TreePath place, any_path_to_change(parts_.tools.tree, path));
    const TaskFile* file = file_at(files_, path);
    const Status back =
        file != nullptr ? write_text(parts_.tools.tree, place, with_line_ends_of(*file, file->text))
                        : parts_.tools.tree.files().remove(place.absolute);
    if (!back) return back;
  }
  return {};
}

// Restores the files. Does nothing during a resume: the checkpoint already has the original files.
Status AnswerJudge::take_back(const FileTexts& answer) {
  PEDRO_TRY(const std::optional<Json> earlier, parts_.answers.next(Question::kTool));
  if (earlier) return {};
  if (Status back = restore(answer); !back) return back;
  return parts_.answers.add(Question::kTool, to_json(ToolResult{true, "taken back", {}}, {}));
}

}  // namespace pedro
