#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/line_table.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxRecallBytes = 8 * 1024;
constexpr std::size_t kFrameBytes = 256;  // for the lines around the recalled text

Result<ToolResult> note(const Json& args, ToolContext& context) {
  const std::string name = text_of(args, "name");
  const Status kept = context.notes.note(name, text_of(args, "text"));
  if (kept) return ToolResult{true, "noted: " + name, {}};
  if (kept.error().kind == ErrorKind::kInternal) return kept.error();
  return refuse(kept.error().message);
}

/// Returns as many lines from `wanted.first` on as fit; truncates a single line that does not fit.
/// Sets `last` to the last line.
std::string lines_from(const LineTable& table, LineRange wanted, std::size_t max_bytes,
                       std::size_t& last) {
  std::string text;
  for (last = wanted.first; last <= wanted.last; ++last) {
    const std::string_view line = table.line(last);
    if (text.size() + line.size() + 1 > max_bytes) break;
    text.append(line) += '\n';
  }
  --last;
  if (last >= wanted.first) return text;
  last = wanted.first;
  const std::string_view line = table.line(last);
  const std::string_view head = truncate_utf8(line, max_bytes);
  return fmt::format("{} [... {} bytes left out ...]\n", head, line.size() - head.size());
}

Result<ToolResult> recall(const Json& args, ToolContext& context) {
  const std::string id = text_of(args, "id");
  const auto text = context.notes.recall(id);
  if (!text) return refuse(text.error().message);
  const LineTable table(*text);
  if (table.size() == 0) return ToolResult{true, id + " is empty", {}};
  const auto line = [&](std::string_view key, std::size_t fallback) {
    return static_cast<std::size_t>(
        std::max(1LL, number_of(args, key, static_cast<long long>(fallback))));
  };
  const LineRange asked{line("start_line", 1), line("end_line", table.size())};
  if (asked.first > table.size() || asked.empty()) {
    return refuse(fmt::format("{} has lines 1-{}", id, table.size()));
  }
  const LineRange wanted = table.clamp(asked);
  std::size_t last = 0;
  // Below the limit of a result, so that it is not spilled again.
  const std::size_t room =
      context.max_result_bytes - std::min(context.max_result_bytes, kFrameBytes);
  const std::string lines = lines_from(table, wanted, std::min(room, kMaxRecallBytes), last);
  std::string out =
      fmt::format("{} (lines {}-{} of {})\n{}", id, wanted.first, last, table.size(), lines);
  if (last < wanted.last) out += fmt::format("[... read on with start_line {} ...]\n", last + 1);
  return ToolResult{true, std::move(out), {}};
}

constexpr ActionRow kContextActions[] = {{"note", note}, {"recall", recall}};

}  // namespace

std::unique_ptr<Tool> make_context_tool() {
  return std::make_unique<TableTool>("context", kContextActions);
}

}  // namespace pedro
