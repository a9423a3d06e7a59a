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

/// A function, the type around it ("class Cart:") and the text before its name ("func (c *Cart) ").
/// Type and text distinguish it from others of its name.
struct NamedFunction {
  FunctionBody body;
  std::string type;
  std::string before;
};

bool begins_type(std::string_view line) {
  for (const std::string_view word : {"class ", "struct ", "impl ", "impl<", "interface ", "trait ",
                                      "export class ", "pub struct ", "public class "}) {
    if (line.starts_with(word)) return true;
  }
  return false;
}

// Returns the functions that are in no other one. O(lines * depth of types).
std::vector<NamedFunction> outer_functions(Language language, const LineTable& table) {
  std::vector<NamedFunction> outer;
  std::vector<std::size_t> types;  // lines of the types around, outermost first
  std::size_t line = 1;
  for (FunctionBody& body : function_bodies(language, table)) {
    if (!outer.empty() && body.head <= outer.back().body.whole.last) continue;
    for (; line <= body.head; ++line) {
      const std::string_view text = table.line(line);
      if (trim(text).empty() || trim(text) == "}") continue;
      while (!types.empty() && indent_of(table.line(types.back())) >= indent_of(text)) {
        types.pop_back();
      }
      if (begins_type(trim(text))) types.push_back(line);
    }
    const std::string_view head = trim(table.line(body.head));
    const std::string type = types.empty() ? "" : std::string(trim(table.line(types.back())));
    outer.push_back({body, type, std::string(head.substr(0, head.find(body.name)))});
  }
  return outer;
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
        old_(outer_functions(language, file_)),
        new_(outer_functions(language, answer_)) {
    for (const NamedFunction& one : old_) by_name_[one.body.name].push_back(&one);
  }

  // Returns true if the answer is a part of the file, or an addition to it.
  bool is_partial() const {
    std::map<std::string_view, std::size_t> counts;
    for (const NamedFunction& one : new_) ++counts[one.body.name];
    const bool lacks_some = std::any_of(by_name_.begin(), by_name_.end(), [&](const auto& one) {
      const auto found = counts.find(one.first);
      return found == counts.end() || found->second < one.second.size();
    });
    return lacks_some && !new_.empty();
  }

  std::string merged() {
    for (const NamedFunction& one : new_) place(one);
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
    if (const auto added = before_.find(file_.size() + 1); added != before_.end()) {
      out += added->second;
    }
    return out;
  }

 private:
  struct Replacement {
    std::size_t last = 0;  // line of the file
    std::string text;
  };

  std::string_view indent_at(std::size_t line) const {
    return file_.line(line).substr(0, indent_of(file_.line(line)));
  }

  // Returns the function of the file that `one` replaces. It has the same type, else the same text
  // before its name, else is the only one of its name. Null if `one` is new.
  const NamedFunction* replaced_by(const NamedFunction& one) const {
    const auto found = by_name_.find(one.body.name);
    if (found == by_name_.end()) return nullptr;
    const NamedFunction* best = nullptr;
    for (const NamedFunction* old : found->second) {
      if (replaced_.contains(old->body.head)) continue;
      if (old->type == one.type && old->before == one.before) return old;
      if (best == nullptr && !one.type.empty() && old->type == one.type) best = old;
    }
    const bool is_only =
        found->second.size() == 1 && !replaced_.contains(found->second[0]->body.head);
    return best == nullptr && is_only ? found->second[0] : best;
  }

  void place(const NamedFunction& one) {
    const std::string_view text = answer_.text(one.body.whole);
    if (const NamedFunction* const old = replaced_by(one)) {
      const std::size_t head = old->body.head;
      replaced_[head] = {old->body.whole.last, with_indent(text, indent_at(head))};
    } else {
      add(one, answer_.text({first_line(one.body.head), one.body.whole.last}));
    }
  }

  // Returns the line of the first decorator of a function.
  std::size_t first_line(std::size_t head) const {
    while (head > 1 && trim(answer_.line(head - 1)).starts_with("@")) --head;
    return head;
  }

  // A new method follows the last one of its type. Languages that declare before use get other new
  // functions before the first one of the file. Python gets them before the statements of the main
  // program.
  void add(const NamedFunction& one, std::string_view text) {
    const auto last = std::find_if(old_.rbegin(), old_.rend(),
                                   [&](const NamedFunction& old) { return old.type == one.type; });
    if (!one.type.empty() && last != old_.rend()) {
      before_[last->body.whole.last + 1] += "\n" + with_indent(text, indent_at(last->body.head));
      return;
    }
    const bool declares = language_ == Language::kC || language_ == Language::kCpp;
    const std::size_t line =
        declares && !old_.empty() ? block_begin(old_.front().body.head) : main_line();
    const std::string gap = language_ == Language::kPython ? "\n\n" : "\n";
    const std::string moved = with_indent(text, "");
    before_[line] += line <= file_.size() ? moved + gap : gap + moved;
  }

  // Returns the line of a Python program's main part, else the line after the last one.
  std::size_t main_line() {
    for (; main_line_ <= file_.size(); ++main_line_) {
      if (file_.line(main_line_).starts_with("if __name__ ")) break;
    }
    return main_line_;
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
    head_line_ = old_.empty() ? 1 : block_begin(old_.front().body.head);
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
      while (next < new_.size() && new_[next].body.head <= line) {
        end = std::max(end, new_[next++].body.whole.last);
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
  std::vector<NamedFunction> old_;
  std::vector<NamedFunction> new_;
  std::map<std::string_view, std::vector<const NamedFunction*>> by_name_;  // those of the file
  std::map<std::size_t, Replacement> replaced_;  // by the line of the head
  std::map<std::size_t, std::string> before_;    // new functions, by the line after them
  std::size_t main_line_ = 1;
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
