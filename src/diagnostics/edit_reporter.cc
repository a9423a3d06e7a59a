#include "diagnostics/edit_reporter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pedro::diagnostics {
namespace {

constexpr std::size_t kMaxCheckedBytes = 1u << 20;
constexpr std::size_t kMaxRevertLines = 12;
constexpr std::size_t kMaxRevertBytes = 1500;

std::string lines_named(std::size_t first, std::size_t count) {
  return count == 1 ? fmt::format("line {}", first)
                    : fmt::format("lines {}-{}", first, first + count - 1);
}

// Returns the one call that undoes an edit.
std::string how_to_revert(const FileEdit& edit, const ChangedLines& changed) {
  if (!edit.before) return "To revert, delete the file.\n";
  const std::string now = lines_named(changed.first, changed.added);
  if (changed.removed == 0) return fmt::format("To revert, delete {}.\n", now);
  const std::vector<std::string_view> lines = split_lines(*edit.before);
  std::string old;
  for (std::size_t i = 0; i < changed.removed && i < kMaxRevertLines; ++i) {
    old += fmt::format("{}\n", lines[changed.first - 1 + i]);
  }
  const bool fits = changed.removed <= kMaxRevertLines && old.size() <= kMaxRevertBytes;
  const std::string place = changed.added == 0 ? fmt::format("insert before line {}", changed.first)
                                               : fmt::format("replace {} by", now);
  if (fits) return fmt::format("To revert, {}:\n{}", place, old);
  return fmt::format("To revert, {} the {} lines that were there.\n", place, changed.removed);
}

}  // namespace

const FileCheck* EditReporter::check_for(const std::string& path) const {
  const auto check = std::ranges::find_if(checks_, [&](const FileCheck& row) {
    return row.checks(path) && (row.argv.empty() || !commands_.find(row.argv[0]).empty());
  });
  return check == checks_.end() || failed_.contains(check->name) ? nullptr : &*check;
}

Result<EditReporter::Found> EditReporter::run(const FileCheck& check, const std::string& path,
                                              const std::string& text, const CancelToken& cancel) {
  Result<Found> found = run_file_check(check, folder_, path, text, commands_, cancel);
  if (found || found.error().kind == ErrorKind::kInterrupted) return found;
  failed_.insert(check.name);
  notice_(failure_notice("check", check.name, found.error().message));
  return Found();
}

Result<std::string> EditReporter::report(const FileEdit& edit, const CancelToken& cancel) {
  if (edit.after.size() > kMaxCheckedBytes) return std::string();
  const bool has_server = servers_ != nullptr && servers_->start_for(edit.path, cancel);
  const FileCheck* const check = check_for(edit.path);
  std::string text;
  if (check != nullptr && (check->syntax || !has_server)) {
    PEDRO_TRY(text, report_syntax(*check, edit, cancel));
  }
  if (!has_server || !text.empty()) return text;
  return report_errors(edit, cancel);
}

Result<std::string> EditReporter::report_syntax(const FileCheck& check, const FileEdit& edit,
                                                const CancelToken& cancel) {
  PEDRO_TRY(const Found after, run(check, edit.path, edit.after, cancel));
  if (!after || after->empty()) return std::string();
  Found before = std::vector<Diagnostic>();
  if (edit.before) {
    PEDRO_TRY(before, run(check, edit.path, *edit.before, cancel));
    if (!before) return std::string();
  }
  const ChangedLines changed = changed_lines(edit.before.value_or(""), edit.after);
  const std::vector<Diagnostic> fresh = introduced(*before, *after, changed);
  if (fresh.empty()) return std::string();
  const std::string list = to_text(edit.path, fresh);
  if (!check.syntax || !before->empty()) return "This edit introduces:\n" + list;
  return fmt::format("This edit breaks the syntax:\n{}{}", list, how_to_revert(edit, changed));
}

// Asks about the old text first: a server compares versions of a file.
Result<std::string> EditReporter::report_errors(const FileEdit& edit, const CancelToken& cancel) {
  PEDRO_TRY(const Found before, servers_->check(edit.path, edit.before.value_or(""), cancel));
  if (!before) return std::string();
  PEDRO_TRY(const Found after, servers_->check(edit.path, edit.after, cancel));
  if (!after) return std::string();
  const ChangedLines changed = changed_lines(edit.before.value_or(""), edit.after);
  const std::vector<Diagnostic> fresh = introduced(*before, *after, changed);
  return fresh.empty() ? "" : "This edit introduces:\n" + to_text(edit.path, fresh);
}

}  // namespace pedro::diagnostics
