#include "agent/file_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/text.h"
#include "gbnf/grammar_builder.h"
#include "regular/literal_graph.h"

namespace pedro {
namespace {

constexpr std::size_t kShortestFence = 3;
constexpr std::size_t kLinesBefore = 4;

struct Fence {
  char mark = '`';
  std::size_t length = 0;  // 0: the line is not a fence
  std::size_t indent = 0;
  std::string_view info = {};
};

struct FencedBlock {
  Fence fence;
  std::vector<std::string_view> lines = {};
  std::vector<std::string_view> before = {};  // non-blank lines before it, nearest first
};

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Fence fence_in(std::string_view line) {
  Fence fence;
  fence.indent = indent_of(line);
  line.remove_prefix(fence.indent);
  if (line.empty() || (line.front() != '`' && line.front() != '~')) return fence;
  fence.mark = line.front();
  const std::size_t length = std::min(line.find_first_not_of(fence.mark), line.size());
  fence.info = trim(line.substr(length));
  // Excludes inline code, which can also begin with backticks.
  const bool is_inline = fence.mark == '`' && fence.info.find('`') != fence.info.npos;
  if (length >= kShortestFence && !is_inline) fence.length = length;
  return fence;
}

bool is_path_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
         c == '/' || static_cast<unsigned char>(c) >= 0x80;
}

bool begins_at(std::string_view text, std::size_t at) {
  if (at >= 2 && text.substr(at - 2, 2) == "./") at -= 2;
  return at == 0 || (!is_path_character(text[at - 1]) && text[at - 1] != '.');
}

// Returns true if a path ends at `at`. A period may end the sentence.
bool ends_at(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '.') ++at;
  return at >= text.size() || !is_path_character(text[at]);
}

bool names_path(std::string_view text, std::string_view path) {
  for (std::size_t at = text.find(path); at != text.npos; at = text.find(path, at + 1)) {
    if (begins_at(text, at) && ends_at(text, at + path.size())) return true;
  }
  return false;
}

// Returns the only known path that a text names; "" if it names none or several.
std::string_view named_in(std::string_view text, std::span<const std::string> known) {
  std::string_view found;
  for (const std::string& path : known) {
    if (path.empty() || !names_path(text, path)) continue;
    if (!found.empty()) return "";
    found = path;
  }
  return found;
}

// Returns the path in "a.py", "./a.py", "# a.py", "// a.js", "/* a.c */" or "<!-- a.html -->".
std::string_view label_in(std::string_view line, std::span<const std::string> known) {
  const std::size_t begin = line.find_first_not_of(" \t#/*<!-;%");
  const std::size_t end = line.find_last_not_of(" \t*/->:");
  if (begin == line.npos || end == line.npos || end < begin) return "";
  std::string_view text = line.substr(begin, end + 1 - begin);
  if (text.starts_with("./")) text.remove_prefix(2);
  const auto found = std::find(known.begin(), known.end(), text);
  return found == known.end() ? "" : std::string_view(*found);
}

std::string_view without_indent(std::string_view line, std::size_t most) {
  return line.substr(std::min(most, indent_of(line)));
}

// Returns true if a block is a unified diff, which is not the content of a file.
bool is_diff(const FencedBlock& block) {
  const std::string info = to_lower(block.fence.info);
  if (info.starts_with("diff") || info.starts_with("patch")) return true;
  const auto begins = [&block](std::size_t line, std::string_view text) {
    return line < block.lines.size() && block.lines[line].starts_with(text);
  };
  const bool has_names = begins(0, "--- ") && begins(1, "+++ ") && begins(2, "@@ -");
  return has_names || begins(0, "diff --git ") || begins(0, "@@ -");
}

class AnswerReader {
 public:
  explicit AnswerReader(std::span<const std::string> known) : known_(known) {}

  std::vector<FileAnswer> read(std::string_view reply) {
    for (const std::string_view whole : split_lines(reply)) {
      const std::string_view line = without_return(whole);
      if (open_.fence.length > 0) {
        take_inside(line);
      } else {
        take_outside(line);
      }
    }
    if (open_.fence.length > 0) close();
    if (answers_.empty() && known_.size() == 1 && unnamed_) add(known_.front(), *unnamed_);
    return std::move(answers_);
  }

 private:
  void take_outside(std::string_view line) {
    if (const Fence fence = fence_in(line); fence.length > 0) {
      open_ = {fence, {}, {}};
      for (std::size_t i = text_.size(); i > 0 && open_.before.size() < kLinesBefore; --i) {
        open_.before.push_back(text_[i - 1]);
      }
      text_.clear();
      inner_ = 0;
      const std::string info = to_lower(fence.info);
      is_markdown_ =
          info.starts_with("markdown") || info.starts_with("md") || path_of(open_).ends_with(".md");
    } else if (!trim(line).empty()) {
      text_.push_back(line);
    }
  }

  void take_inside(std::string_view line) {
    const Fence fence = fence_in(line);
    if (fence.length >= open_.fence.length && fence.mark == open_.fence.mark) {
      if (fence.info.empty() && inner_ == 0) return close();
      if (fence.info.empty()) {
        --inner_;
      } else if (is_markdown_) {
        ++inner_;
      }
    }
    open_.lines.push_back(without_indent(line, open_.fence.indent));
  }

  std::string_view path_of(const FencedBlock& block) const {
    std::string_view path = named_in(block.fence.info, known_);
    if (path.empty() && !block.lines.empty()) path = label_in(block.lines.front(), known_);
    for (std::size_t i = 0; i < block.before.size() && path.empty(); ++i) {
      path = named_in(block.before[i], known_);
    }
    return path;
  }

  void close() {
    FencedBlock block = std::exchange(open_, {});
    const bool is_short = !block.lines.empty() && block.lines.size() <= kLinesBefore;
    if (is_short && !label_in(block.lines.back(), known_).empty()) {
      text_.push_back(block.lines.back());
      return;
    }
    const std::string_view path = path_of(block);
    const bool may_be_diff = path.ends_with(".diff") || path.ends_with(".patch");
    if (!may_be_diff && is_diff(block)) return;
    if (path.empty()) {
      if (!unnamed_) unnamed_ = std::move(block);
      return;
    }
    const bool labelled = !block.lines.empty() && label_in(block.lines.front(), known_) == path;
    if (labelled) block.lines.erase(block.lines.begin());
    add(path, block);
  }

  void add(std::string_view path, const FencedBlock& block) {
    const auto same = [&](const FileAnswer& answer) { return answer.path == path; };
    if (std::any_of(answers_.begin(), answers_.end(), same)) return;
    FileAnswer answer{std::string(path), ""};
    for (const std::string_view line : block.lines) answer.content.append(line).append("\n");
    answers_.push_back(std::move(answer));
  }

  std::span<const std::string> known_;
  std::vector<std::string_view> text_;  // non-blank lines since the last block
  FencedBlock open_;
  bool is_markdown_ = false;
  int inner_ = 0;  // number of open nested blocks
  std::optional<FencedBlock> unnamed_;
  std::vector<FileAnswer> answers_;
};

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

std::vector<FileAnswer> read_file_answers(std::string_view reply,
                                          std::span<const std::string> known_paths) {
  return AnswerReader(known_paths).read(reply);
}

std::string write_file_answer(std::string_view path, std::string_view content) {
  const std::string fence(std::max(kShortestFence, longest_run(content, '`') + 1), '`');
  const char* end = content.empty() || content.ends_with('\n') ? "" : "\n";
  return fmt::format("{}\n{}\n{}{}{}\n", path, fence, content, end, fence);
}

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
