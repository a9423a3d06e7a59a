#include "agent/partial_answer.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "tools/function_bodies.h"
#include "tools/imports.h"

namespace pedro {
namespace {

using Functions = std::vector<FunctionBody>;

// Returns the functions that are in no other one.
Functions outer_functions(const Functions& all) {
  Functions outer;
  for (const FunctionBody& one : all) {
    if (outer.empty() || one.head > outer.back().whole.last) outer.push_back(one);
  }
  return outer;
}

// Returns the first function of each name.
std::map<std::string_view, const FunctionBody*> by_name(const Functions& functions) {
  std::map<std::string_view, const FunctionBody*> first;
  for (const FunctionBody& one : functions) first.emplace(one.name, &one);
  return first;
}

// Moves all lines so that the first one has this indentation.
std::string with_indent(std::string_view text, std::string_view indent) {
  const std::size_t before = indent_of(text);
  const std::string_view more = indent.substr(std::min(before, indent.size()));
  const std::size_t less = before - std::min(before, indent.size());
  std::string moved;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).empty()) {
      moved += more;
      moved += line.substr(std::min(indent_of(line), less));
    }
    moved += '\n';
  }
  return moved;
}

// Returns true for one complete line "NAME = value", with a word of its language before it.
bool is_constant(std::string_view line) {
  if (line.empty() || indent_of(line) > 0 || line.find(" = ") == line.npos) return false;
  const std::string_view name = line.substr(0, line.find(" = "));
  const bool is_name = name.find_first_of("()[]{}.\"'") == name.npos;
  const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
  return is_name && count('(') == count(')') && count('[') == count(']') &&
         count('{') == count('}');
}

/// Puts the functions of an answer into a file.
class AnswerMerge {
 public:
  AnswerMerge(Language language, std::string_view file, std::string_view answer)
      : language_(language),
        file_(file),
        answer_(answer),
        old_(function_bodies(language, file_)),
        new_(function_bodies(language, answer_)) {}

  // Returns true if the answer is a part of the file, or an addition to it.
  bool is_partial() const {
    const auto names = by_name(new_);
    const bool lacks_some = std::any_of(old_.begin(), old_.end(),
                                        [&](const auto& one) { return !names.contains(one.name); });
    return lacks_some && !new_.empty();
  }

  std::string merged() {
    const auto old = by_name(old_);
    for (const FunctionBody& one : outer_functions(new_)) {
      const auto found = old.find(one.name);
      place(one, found == old.end() ? nullptr : found->second);
    }
    const std::string head = missing_head();
    std::string out;
    for (std::size_t line = 1; line <= file_.size(); ++line) {
      if (line == head_line_) out += head;
      if (const auto added = before_.find(line); added != before_.end()) out += added->second;
      const auto replaced = replaced_.find(line);
      if (replaced == replaced_.end()) {
        out += std::string(file_.line(line)) + "\n";
        continue;
      }
      out += replaced->second.text;
      line = replaced->second.last;
    }
    if (head_line_ > file_.size()) out += head;
    return out + at_end_;
  }

 private:
  struct Replacement {
    std::size_t last = 0;  // line of the file
    std::string text;
  };

  std::string_view indent_at(std::size_t line) const {
    return file_.line(line).substr(0, indent_of(file_.line(line)));
  }

  // `old`: the function of the file, or null.
  void place(const FunctionBody& one, const FunctionBody* old) {
    const std::string_view text = answer_.text(one.whole);
    if (old != nullptr && !replaced_.contains(old->head)) {
      replaced_[old->head] = {old->whole.last, with_indent(text, indent_at(old->head))};
    } else if (old == nullptr) {
      add(with_indent(text, ""));
    }
  }

  // Languages that declare before use get new functions before the first one of the file. In
  // Python, they come before the statements of the main program.
  void add(std::string text) {
    const bool declares = language_ == Language::kC || language_ == Language::kCpp;
    std::size_t line = declares && !old_.empty() ? block_begin(old_.front().head) : 1;
    if (!declares) {
      while (line <= file_.size() && !file_.line(line).starts_with("if __name__ ")) ++line;
    }
    const std::string gap = language_ == Language::kPython ? "\n\n" : "\n";
    if (line <= file_.size()) {
      before_[line] += std::move(text) + gap;
    } else {
      at_end_ += gap + std::move(text);
    }
  }

  // Returns the first line of the block, without blank lines, around a line.
  std::size_t block_begin(std::size_t line) const {
    while (line > 1 && !trim(file_.line(line - 1)).empty()) --line;
    return line;
  }

  // Returns the imports and constants of the answer that the file lacks. Sets their place: after
  // the last import, else before the first function.
  std::string missing_head() {
    std::set<std::string> known;
    for (std::size_t line = 1; line <= file_.size(); ++line) {
      known.insert(std::string(trim(file_.line(line))));
    }
    head_line_ = old_.empty() ? 1 : block_begin(old_.front().head);
    for (const Import& one : find_imports(language_, file_.text({1, file_.size()}))) {
      const bool is_whole =
          split_lines(one.text).size() == 1 && one.text == trim(file_.line(one.line));
      if (is_whole && indent_of(file_.line(one.line)) == 0) head_line_ = one.line + 1;
    }
    std::set<std::size_t> imports;
    for (const Import& one : find_imports(language_, answer_.text({1, answer_.size()}))) {
      imports.insert(one.line);
    }
    std::string head;
    std::size_t end = 0;  // of the last function
    for (std::size_t line = 1, next = 0; line <= answer_.size(); ++line) {
      while (next < new_.size() && new_[next].head <= line) {
        end = std::max(end, new_[next++].whole.last);
      }
      const std::string_view text = answer_.line(line);
      const bool is_import = imports.contains(line) && indent_of(text) == 0;
      if (!is_import && !(is_constant(text) && line > end)) continue;
      if (known.insert(std::string(trim(text))).second) head += std::string(text) + "\n";
    }
    return head;
  }

  Language language_;
  LineTable file_;
  LineTable answer_;
  Functions old_;
  Functions new_;
  std::map<std::size_t, Replacement> replaced_;  // by the line of the head
  std::map<std::size_t, std::string> before_;    // new functions, by the line after them
  std::string at_end_;                           // new functions
  std::size_t head_line_ = 1;
};

}  // namespace

std::optional<std::string> completed_answer(std::string_view path, std::string_view file,
                                            std::string_view answer) {
  if (file.empty() || answer.empty()) return std::nullopt;
  AnswerMerge merge(language_of(path), file, answer);
  if (!merge.is_partial()) return std::nullopt;
  std::string text = merge.merged();
  return text == file ? std::nullopt : std::optional(std::move(text));
}

}  // namespace pedro
