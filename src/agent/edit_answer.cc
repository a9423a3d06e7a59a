#include "agent/edit_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gbnf/grammar_builder.h"
#include "regular/literal_graph.h"

namespace pedro {
namespace {

constexpr std::string_view kFile = "File: ";
constexpr std::string_view kReplace = "Replace:\n";
constexpr std::string_view kWith = "With:\n";

// Matches any line that does not begin with the fence.
Expr new_line(std::size_t fence) {
  const Expr others = none_of({{U'\n', U'\n'}, {U'`', U'`'}});
  const Expr rest = repetition(none_of({{U'\n', U'\n'}}), 0, std::nullopt);
  std::vector<Expr> options;
  for (std::size_t ticks = 0; ticks < fence; ++ticks) {
    std::vector<Expr> items;
    if (ticks > 0) items.push_back(literal(std::string(ticks, '`')));
    items.push_back(maybe(sequence({others, rest})));
    items.push_back(literal("\n"));
    options.push_back(sequence(std::move(items)));
  }
  return alternation(std::move(options));
}

// Removes a fenced block from the start of `text` and returns its contents.
std::optional<std::string> take_block(std::string_view& text, std::string_view fence) {
  const std::string open = std::string(fence) + "\n";
  if (!text.starts_with(open)) return std::nullopt;
  text.remove_prefix(open.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at) == fence) {
      std::string block(text.substr(0, at));
      text.remove_prefix(std::min(end + 1, text.size()));
      return block;
    }
    at = end + 1;
  }
  return std::nullopt;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::string edit_fence(std::span<const TaskFile> files) {
  std::size_t longest = 2;
  for (const TaskFile& file : files) longest = std::max(longest, longest_run(file.text, '`'));
  return std::string(longest + 1, '`');
}

std::string edit_grammar(std::span<const TaskFile> files, int max_edits) {
  const std::string fence = edit_fence(files);
  GrammarBuilder grammar;
  std::vector<Expr> targets;
  for (const TaskFile& file : files) {
    if (trim(file.text).empty()) continue;
    targets.push_back(sequence({literal(fmt::format("{}\n{}{}\n", file.path, kReplace, fence)),
                                add_literal_graph(grammar, line_runs(file.text, RunKind::kAny),
                                                  TextEncoding::kPlain, "lines")}));
  }
  const Expr line = grammar.add("new-line", new_line(fence.size()));
  const Expr edit =
      grammar.add("edit", sequence({literal(kFile), alternation(std::move(targets)),
                                    literal(fmt::format("\n{}\n{}{}\n", fence, kWith, fence)),
                                    repetition(line, 0, std::nullopt), literal(fence)}));
  std::vector<Expr> items{edit};
  if (max_edits > 1) {
    items.push_back(repetition(sequence({literal("\n\n"), edit}), 0, max_edits - 1));
  }
  return print(grammar.finish(sequence(std::move(items))));
}

std::string block_grammar(std::string_view fence, int max_lines) {
  Gbnf grammar;
  grammar.rules.push_back(
      {"root", sequence({literal(std::string(fence) + "\n"),
                         repetition(rule_ref("new-line"), 1, max_lines), literal(fence)})});
  grammar.rules.push_back({"new-line", new_line(fence.size())});
  return print(grammar);
}

std::vector<LineEdit> read_edits(std::string_view reply, std::string_view fence) {
  std::vector<LineEdit> edits;
  std::string_view rest = reply;
  for (;;) {
    const std::size_t at = rest.find(kFile);
    if (at == rest.npos) return edits;
    rest.remove_prefix(at + kFile.size());
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) return edits;
    LineEdit edit;
    edit.path = trim(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!take(rest, kReplace)) continue;
    const auto old_lines = take_block(rest, fence);
    if (!old_lines || !take(rest, kWith)) continue;
    const auto new_lines = take_block(rest, fence);
    if (!new_lines) return edits;
    edit.old_lines = *old_lines;
    edit.new_lines = *new_lines;
    if (!edit.old_lines.empty()) edits.push_back(std::move(edit));
  }
}

std::optional<std::string> apply_edit(std::string_view text, const LineEdit& edit,
                                      std::size_t occurrence) {
  std::string whole(text);
  const bool ended = whole.empty() || whole.back() == '\n';
  if (!ended) whole += '\n';
  std::size_t at = 0;
  for (;;) {
    at = whole.find(edit.old_lines, at);
    if (at == whole.npos) return std::nullopt;
    const bool begins_line = at == 0 || whole[at - 1] == '\n';
    if (begins_line && occurrence-- == 0) break;
    ++at;
  }
  whole.replace(at, edit.old_lines.size(), edit.new_lines);
  return whole;
}

}  // namespace pedro
