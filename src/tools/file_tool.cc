#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/count_of.h"
#include "tools/file_edit.h"
#include "tools/meant_call.h"
#include "tools/text_file.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxReadLines = 2000;
constexpr std::size_t kMaxReadBytes = 48 * 1024;
// A larger limit for reads of a range, which still read the whole file.
constexpr std::uint64_t kMaxRangedBytes = 100u << 20;

std::size_t line_argument(const Json& args, std::string_view name, std::size_t fallback) {
  const long long line = number_of(args, name, static_cast<long long>(fallback));
  return line < 1 ? 1 : static_cast<std::size_t>(line);
}

// Returns the part of `range` that fits into one answer: at least one line.
LineRange that_fits(const LineTable& table, LineRange range) {
  std::size_t bytes = 0;
  for (std::size_t n = range.first; n <= range.last; ++n) {
    bytes += table.line(n).size() + 8;
    const bool full = bytes > kMaxReadBytes || n - range.first == kMaxReadLines;
    if (full && n > range.first) return {range.first, n - 1};
  }
  return range;
}

Result<ToolResult> read_file(const Json& args, ToolContext& context) {
  const auto file = existing_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const bool ranged = args.contains("start_line") || args.contains("end_line");
  if (!ranged && file->info.bytes > kMaxTextBytes) {
    return refuse(fmt::format("{} has {} bytes: give start_line and end_line, or search it first",
                              file->shown, file->info.bytes));
  }
  const auto text = read_text(context.tree, *file, kMaxRangedBytes);
  if (!text) return answer_for(text.error());

  const LineTable table(*text);
  if (table.size() == 0) return ToolResult{true, file->shown + " is empty", {}};
  const LineRange asked{line_argument(args, "start_line", 1),
                        line_argument(args, "end_line", table.size())};
  const Status begins = fits(table, {asked.first, asked.first});
  if (!begins) return refuse(file->shown + ": " + begins.error().message);
  const Status order = in_order(asked);
  if (!order) return refuse(file->shown + ": " + order.error().message);
  const LineRange wanted = table.clamp(asked);
  const LineRange shown = that_fits(table, wanted);
  std::string out = show_lines(context, *file, table, shown);
  if (shown.last < wanted.last) {
    out += fmt::format("[... {}; read on with start_line {} ...]\n",
                       count_of(wanted.last - shown.last, "more line"), shown.last + 1);
  }
  return ToolResult{true, std::move(out), {}};
}

// Resolves a path to write to, which is not a folder, and creates its parent folders.
Result<TreePath> target_file(const WorkTree& tree, std::string_view path) {
  auto file = any_path_to_change(tree, path);
  if (!file) return file;
  if (file->info.kind == FileKind::kFolder) {
    return Error{ErrorKind::kRefused, file->shown + " is a folder; give the path of a file"};
  }
  if (file->info.kind == FileKind::kOther) {
    return Error{ErrorKind::kRefused, file->shown + " is not a regular file"};
  }
  const Status made = tree.files().make_folders(std::string(folder_name(file->absolute)), 0755);
  if (!made) return Error{ErrorKind::kRefused, "cannot make the folder " + made.error().message};
  return file;
}

Result<ToolResult> write_whole(ToolContext& context, const TreePath& file, std::string_view text,
                               std::string_view verb) {
  const Status written = write_text(context.tree, file, text);
  if (!written) return answer_for(written.error());
  const LineTable table(text);
  context.views.write(file.absolute, table);
  return ToolResult{true,
                    fmt::format("{} {} ({}, {})", file.shown, verb, count_of(table.size(), "line"),
                                count_of(text.size(), "byte")),
                    {file.shown}};
}

// Some call formats drop the final line end of a text.
std::string with_last_line_end(const std::string& text) {
  if (text.empty() || text.ends_with('\n')) return text;
  const LineTable table(text);
  return text + std::string(table.end_to_use_at(table.size()));
}

Result<ToolResult> write_file(const Json& args, ToolContext& context) {
  const auto file = target_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const bool is_new = file->info.kind == FileKind::kMissing;
  const auto before =
      is_new ? Result<std::string>("") : read_text(context.tree, *file, kMaxRangedBytes);
  if (!before) return answer_for(before.error());
  const auto [given, repair] = meant_content(text_of(args, "content"), *before, 1, file->shown);
  if (Status may = may_write(*file, given, *before); !may) return answer_for(may.error());
  if (!is_valid_utf8(*before)) {
    return refuse(file->shown +
                  " is not UTF-8, and a whole write would lose its other bytes; edit its lines, or "
                  "delete it first");
  }
  const std::string content = replace_whole(*before, with_last_line_end(given));
  if (!is_new && (content == *before || replace_whole(*before, given) == *before)) {
    return ToolResult{true, file->shown + " already reads like that; nothing changed", {}};
  }
  Result<ToolResult> result = write_whole(context, *file, content, is_new ? "created" : "replaced");
  if (result && result->ok && !repair.empty()) result->repaired.push_back("/content: " + repair);
  return result;
}

Result<ToolResult> append_to_file(const Json& args, ToolContext& context) {
  const auto file = target_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const std::string content = with_last_line_end(text_of(args, "content"));
  if (Status may = may_write(*file, content, ""); !may) return answer_for(may.error());
  if (file->info.kind == FileKind::kMissing) {
    return write_whole(context, *file, content, "created");
  }
  const auto before = read_text(context.tree, *file, kMaxTextBytes);
  if (!before) return answer_for(before.error());
  const std::size_t end = LineTable(*before).size() + 1;
  // Starts on a new line, even if the last line of the file has no line end.
  return write_edit(context, *file, *before, replace_lines(*before, {end, end - 1}, content),
                    "appended");
}

Result<ToolResult> replace_text(const Json& args, ToolContext& context) {
  return replace_in_file(context, text_of(args, "path"), text_of(args, "old"), text_of(args, "new"),
                         truth_of(args, "all") ? RepeatedText::kReplaceAll : RepeatedText::kRefuse);
}

Result<ToolResult> delete_file(const Json& args, ToolContext& context) {
  const auto file = existing_file_to_change(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const Status removed = context.tree.files().remove(file->absolute);
  if (!removed) return refuse("cannot delete " + removed.error().message);
  return ToolResult{true, file->shown + " deleted", {file->shown}};
}

Result<ToolResult> move_file(const Json& args, ToolContext& context) {
  const auto from = existing_file_to_change(context.tree, text_of(args, "path"));
  if (!from) return answer_for(from.error());
  const auto to = any_path(context.tree, text_of(args, "to"));
  if (!to) return answer_for(to.error());
  if (to->info.kind == FileKind::kFolder) {
    return refuse(fmt::format("{} is a folder; to move the file into it use {}", to->shown,
                              join_path(to->shown, base_name(from->shown))));
  }
  if (context.tree.files().link_info(to->absolute).kind != FileKind::kMissing) {
    return refuse(to->shown + " exists; delete it first or choose another name");
  }
  const auto target = target_file(context.tree, text_of(args, "to"));
  if (!target) return answer_for(target.error());
  const Status moved = context.tree.files().rename(from->absolute, target->absolute);
  if (!moved) return refuse("cannot move " + moved.error().message);
  return ToolResult{
      true, fmt::format("{} moved to {}", from->shown, to->shown), {from->shown, to->shown}};
}

constexpr ActionRow kFileActions[] = {
    {"read", read_file},       {"write", write_file},   {"append", append_to_file},
    {"replace", replace_text}, {"delete", delete_file}, {"move", move_file},
};

}  // namespace

std::unique_ptr<Tool> make_file_tool() {
  return std::make_unique<TableTool>("file", kFileActions);
}

}  // namespace pedro
