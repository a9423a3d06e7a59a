#include <fmt/format.h>

#include <limits>

#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/count_of.h"
#include "tools/file_edit.h"
#include "tools/meant_call.h"
#include "tools/text_file.h"

namespace pedro {
namespace {

// The schema has a minimum of 1. A missing number is larger than any file.
std::size_t line_of(const Json& args, std::string_view name) {
  const long long line = number_of(args, name, std::numeric_limits<long long>::max());
  return line < 0 ? 0 : static_cast<std::size_t>(line);
}

LineRange range_of(const Json& args) {
  return {line_of(args, "start_line"), line_of(args, "end_line")};
}

Result<ToolResult> get_lines(const Json& args, ToolContext& context) {
  const auto file = existing_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const auto text = read_text(context.tree, *file, kMaxTextBytes);
  if (!text) return answer_for(text.error());
  const LineTable table(*text);
  const LineRange range = range_of(args);
  const Status order = in_order(range);
  if (!order) return refuse(file->shown + ": " + order.error().message);
  const Status in_file = fits(table, {range.first, range.first});
  if (!in_file) return refuse(file->shown + ": " + in_file.error().message);
  return ToolResult{true, show_lines(context, *file, table, table.clamp(range)), {}};
}

// Replaces `range` by `content`; all three line actions use it.
Result<ToolResult> edit(ToolContext& context, const Json& args, LineRange range,
                        std::string_view content, std::string_view what) {
  const auto file = existing_file_to_change(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const auto text = read_text(context.tree, *file, kMaxTextBytes);
  if (!text) return answer_for(text.error());
  const LineTable table(*text);
  const LineViews::MeantLines meant = context.views.find(file->absolute, range);
  if (meant.edited) return refuse_changed(context, *file, table, meant.lines);
  range = meant.lines;
  const Status in_file = fits(table, range);
  if (!in_file) return refuse(file->shown + ": " + in_file.error().message);
  if (context.views.differ(file->absolute, table, range)) {
    return refuse_changed(context, *file, table, range);
  }
  const MeantText meant_text = meant_content(content, *text, range.first, file->shown);
  if (Status may = may_write(*file, meant_text.text, table.text(range)); !may) {
    return answer_for(may.error());
  }
  Result<ToolResult> result =
      write_edit(context, *file, *text, replace_lines(*text, range, meant_text.text), what);
  if (result && result->ok && !meant_text.repair.empty()) {
    result->repaired.push_back("content: " + meant_text.repair);
  }
  return result;
}

std::string name_of(LineRange range) {
  return range.size() == 1 ? fmt::format("line {}", range.first)
                           : fmt::format("lines {}-{}", range.first, range.last);
}

Result<ToolResult> edit_lines(const Json& args, ToolContext& context) {
  const LineRange range = range_of(args);
  if (const Status order = in_order(range); !order) return answer_for(order.error());
  const std::string content = text_of(args, "new_content");
  return edit(context, args, range, content,
              fmt::format("{} replaced by {}", name_of(range),
                          count_of(LineTable(content).size(), "line")));
}

Result<ToolResult> insert_at_line(const Json& args, ToolContext& context) {
  const std::size_t line = line_of(args, "line_number");
  const std::string content = text_of(args, "content");
  return edit(
      context, args, {line, line - 1}, content,
      fmt::format("{} inserted before line {}", count_of(LineTable(content).size(), "line"), line));
}

Result<ToolResult> delete_lines(const Json& args, ToolContext& context) {
  const LineRange range = range_of(args);
  if (const Status order = in_order(range); !order) return answer_for(order.error());
  return edit(context, args, range, "", name_of(range) + " deleted");
}

Result<ToolResult> replace_unique(const Json& args, ToolContext& context) {
  return replace_in_file(context, text_of(args, "path"), text_of(args, "old"), text_of(args, "new"),
                         RepeatedText::kRefuse);
}

constexpr ActionRow kCodeEditActions[] = {
    {"get_lines", get_lines},           {"edit_lines", edit_lines},
    {"insert_at_line", insert_at_line}, {"delete_lines", delete_lines},
    {"replace_text", replace_unique},
};

}  // namespace

std::unique_ptr<Tool> make_code_edit_tool() {
  return std::make_unique<TableTool>("code_edit", kCodeEditActions);
}

}  // namespace pedro
