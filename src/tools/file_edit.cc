#include "tools/file_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "tools/alike_text.h"
#include "tools/count_of.h"
#include "tools/meant_call.h"
#include "tools/text_file.h"

namespace pedro {
namespace {

constexpr std::size_t kLinesAround = 3;
constexpr std::size_t kMaxExcerptLines = 40;
constexpr std::size_t kMaxShownLineBytes = 400;
constexpr std::size_t kMaxListedLines = 10;

// Returns the lines; for many lines, only the first and last ones.
std::string excerpt(const LineTable& table, LineRange lines) {
  if (lines.size() <= kMaxExcerptLines) return numbered_lines(table, lines, kMaxShownLineBytes);
  const std::size_t half = kMaxExcerptLines / 2;
  const LineRange head{lines.first, lines.first + half - 1};
  const LineRange tail{lines.last - half + 1, lines.last};
  return fmt::format(
      "{}[... {} not shown ...]\n{}", numbered_lines(table, head, kMaxShownLineBytes),
      count_of(lines.size() - 2 * half, "line"), numbered_lines(table, tail, kMaxShownLineBytes));
}

// Shows the lines with three lines of context.
std::string show_around(ToolContext& context, const TreePath& file, const LineTable& table,
                        LineRange lines) {
  const std::size_t before = std::min(kLinesAround, lines.first - 1);
  lines = table.clamp({lines.first - before, lines.last + kLinesAround});
  context.views.show(file.absolute, table, lines);
  return excerpt(table, lines);
}

std::string not_found(const TreePath& file, std::string_view text, std::string_view old_text) {
  const LineTable table(text);
  const auto closest = closest_text(table, old_text);
  if (!closest) {
    return fmt::format("{}: the old text does not occur, nor anything like it; read the file first",
                       file.shown);
  }
  return fmt::format(
      "{}: the old text does not occur; {}:\n{}", file.shown,
      closest->only_blanks_differ ? "these lines differ only in blanks" : "the closest lines are",
      excerpt(table, closest->lines));
}

std::string occurs_often(const TreePath& file, std::string_view text,
                         const std::vector<Occurrence>& occurrences) {
  const LineTable table(text);
  std::vector<std::string> lines;
  for (const Occurrence& occurrence : occurrences) {
    if (lines.size() == kMaxListedLines) {
      lines.push_back("...");
      break;
    }
    lines.push_back(std::to_string(table.line_at(occurrence.offset)));
  }
  return fmt::format("{}: the old text occurs {} times, at lines {}; give more surrounding lines",
                     file.shown, occurrences.size(), join(lines, ", "));
}

// The occurrences of an old text, and its replacement.
struct FoundText {
  std::vector<Occurrence> occurrences;
  std::string new_text;
  std::vector<std::string> repairs = {};
};

// Finds the text itself. Otherwise finds it in another form, then with characters that look the
// same.
FoundText find_old_text(std::string_view text, std::string_view old_text,
                        std::string_view new_text) {
  FoundText found{find_text(text, old_text), std::string(new_text)};
  if (!found.occurrences.empty()) return found;
  std::vector<OtherForm> forms = other_forms(old_text, new_text);
  for (OtherForm& form : forms) {
    found.occurrences = find_text(text, form.old_text);
    if (found.occurrences.empty()) continue;
    found.new_text = std::move(form.new_text);
    found.repairs.push_back("/old: " + form.repair);
    return found;
  }
  forms.insert(forms.begin(), {std::string(old_text), std::string(new_text), ""});
  for (const OtherForm& form : forms) {
    found.occurrences = find_alike(text, form.old_text);
    if (found.occurrences.empty()) continue;
    const Occurrence& first = found.occurrences.front();
    found.new_text =
        plain_like(form.new_text, form.old_text, text.substr(first.offset, first.bytes));
    if (!form.repair.empty()) found.repairs.push_back("/old: " + form.repair);
    found.repairs.emplace_back("/old: characters that look the same");
    if (found.new_text != form.new_text) {
      found.repairs.emplace_back("/new: the characters of the file");
    }
    return found;
  }
  return found;
}

}  // namespace

std::string show_lines(ToolContext& context, const TreePath& file, const LineTable& table,
                       LineRange lines) {
  context.views.show(file.absolute, table, lines);
  return fmt::format("{} (lines {}-{} of {}{})\n{}", file.shown, lines.first, lines.last,
                     table.size(), unprintable_note(table.text(lines)),
                     numbered_lines(table, lines));
}

Status may_write(const TreePath& file, std::string_view content, std::string_view replaced) {
  const Status status = without_placeholders(content, replaced);
  return status ? status : Status(refusal(file.shown + ": " + status.error().message));
}

ToolResult refuse_changed(ToolContext& context, const TreePath& file, const LineTable& table,
                          LineRange lines) {
  ToolResult result = refuse(
      fmt::format("{}: nothing was edited, the lines have changed since they were shown; now:\n{}",
                  file.shown, show_around(context, file, table, lines)));
  result.may_repeat = true;
  return result;
}

Result<ToolResult> write_edit(ToolContext& context, const TreePath& file, std::string_view before,
                              const EditedText& edited, std::string_view what) {
  if (edited.text == before) {
    return refuse(file.shown + ": nothing to do, the file already reads like that");
  }
  const Status written = write_text(context.tree, file, edited.text);
  if (!written) return answer_for(written.error());
  const LineTable table(edited.text);
  const std::size_t kept = LineTable(before).size() - edited.removed.size();
  context.views.edit(file.absolute, edited.removed, table.size() - kept);
  const std::string now = table.size() == 0
                              ? "the file is empty now"
                              : "now:\n" + show_around(context, file, table, edited.lines);
  return ToolResult{true, fmt::format("{}: {}; {}", file.shown, what, now), {file.shown}};
}

Result<ToolResult> replace_in_file(ToolContext& context, std::string_view path,
                                   std::string_view old_text, std::string_view new_text,
                                   RepeatedText repeats) {
  const auto file = existing_file_to_change(context.tree, path);
  if (!file) return answer_for(file.error());
  const auto text = read_text(context.tree, *file, kMaxTextBytes);
  if (!text) return answer_for(text.error());
  if (old_text.empty()) {
    return refuse("the old text is empty; to write a whole file use file write");
  }
  const FoundText found = find_old_text(*text, old_text, new_text);
  if (found.occurrences.empty()) {
    const Status real = may_write(*file, old_text, *text);
    return real ? refuse(not_found(*file, *text, old_text)) : answer_for(real.error());
  }
  if (found.occurrences.size() > 1 && repeats == RepeatedText::kRefuse) {
    return refuse(occurs_often(*file, *text, found.occurrences));
  }
  if (Status may = may_write(*file, found.new_text, old_text); !may) return answer_for(may.error());
  Result<ToolResult> result = write_edit(
      context, *file, *text, replace_occurrences(*text, found.occurrences, found.new_text),
      count_of(found.occurrences.size(), "occurrence") + " replaced");
  if (result && result->ok) result->repaired = found.repairs;
  return result;
}

}  // namespace pedro
