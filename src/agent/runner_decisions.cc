#include "agent/runner_decisions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/check_names.h"
#include "agent/code_text.h"
#include "agent/other_literals.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/language.h"
#include "tools/source_outline.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Texts for the program, the main module or the callers.
constexpr std::string_view kWho =
    "|argv[0]|process.argv[1]|process.argv0|process.execArgv|process.title|orig_argv|os.Args[0]"
    "|args().next()|args().nth(0)|args_os().next()|current_exe()|program_invocation|__progname"
    "|getppid|require.main|module.parent|mainModule|Error().stack|_getframe|currentframe"
    "|inspect.stack|f_back|tb_frame|extract_stack|format_stack|getStackTrace|StackWalker"
    "|caller_locations|debug_backtrace|debug.getinfo|runtime.Caller|debug.Stack(|";
// The source's own file.
constexpr std::string_view kSelf =
    "|import.meta|__filename|__file__|__FILE__|BASH_SOURCE|module.filename|=== module|== module|";
constexpr std::string_view kComparingWords =
    "|==|!=|<=|>=| < | > | in | is |=~|!~| eq | ne | -eq | -ne | instanceof |";
constexpr std::string_view kNothing = "|null|None|undefined|nil|NULL|nullptr|not|";
// Functions that compare, search or read their argument: parts of names, and whole names.
constexpr std::string_view kDecidingParts =
    "|cmp|strstr|strcasestr|contain|include|prefix|suffix|startswith|endswith|starts_with"
    "|ends_with|match|search|find|indexof|equal|lookup|regex|readfile|";
constexpr std::string_view kDecidingNames =
    "|has|get|in|test|open|read|getline|eval|line|code_context|index|rindex|count|switch|case|";
constexpr std::string_view kConditionWords = "|if|while|until|elif|unless|elsif|";
constexpr int kMaxPasses = 3;  // over variables of variables
constexpr std::size_t kMaxVariables = 100;
constexpr std::size_t kMaxLineBytes = 4096;  // a longer line with such a text counts as a decision

std::string_view last_name(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word_byte(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool is_deciding(std::string_view name) {
  const std::string lower = to_lower(name);
  return is_listed(kDecidingNames, lower) || has_any(lower, kDecidingParts);
}

// Returns the name that a declaration or parameter introduces: "const char *a" -> "a".
std::string_view declared_name(std::string_view text) {
  text = text.substr(0, text.find(':'));
  text = text.substr(0, text.find('='));
  const std::size_t end = text.find_last_not_of(" \t}])?");
  return last_name(text.substr(0, end == text.npos ? 0 : end + 1));
}

// Returns true for the target of an assignment: names and their types.
bool is_target(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return is_word_byte(c) || std::string_view(" \t,.*&:{}[]$").find(c) != std::string_view::npos;
  });
}

// Returns the index of the sign of an assignment: "=", ":=".
std::size_t assignment_at(std::string_view line) {
  for (std::size_t at = line.find('='); at != line.npos; at = line.find('=', at + 1)) {
    const char before = at > 0 ? line[at - 1] : ' ';
    const char after = at + 1 < line.size() ? line[at + 1] : ' ';
    const bool is_sign = std::string_view("=!<>+").find(before) == std::string_view::npos &&
                         std::string_view("=>~").find(after) == std::string_view::npos;
    if (is_sign) return before == ':' ? at - 1 : at;
    if (after == '=') ++at;
  }
  return line.npos;
}

/// Finds the decisions of a source.
class DecisionScan {
 public:
  DecisionScan(std::string_view path, std::string_view text)
      : path_(path),
        language_(language_of(path)),
        plain_(without_comments(path, text)),
        code_(without_texts(path, text)) {}

  std::size_t count() {
    if (!has_any(code_, kWho) && !has_any(code_, kShellNames)) return 0;
    std::size_t found = 0;
    for (int pass = 0; pass < kMaxPasses; ++pass) found = count_in_pass();
    return found;
  }

 private:
  static constexpr std::string_view kShellNames = "|$0|${0|$PROGRAM_NAME|";

  /// A variable with such a value, in lines of at least this indentation.
  struct Variable {
    std::string name;
    std::size_t indent = 0;
    bool operator==(const Variable&) const = default;
  };

  std::size_t count_in_pass() {
    const auto lines = split_lines(code_);
    const auto plain_lines = split_lines(plain_);
    std::erase_if(variables_, [](const Variable& variable) { return variable.indent > 0; });
    std::size_t found = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      line_ = lines[i];
      plain_line_ = plain_lines[i];
      if (trim(line_).empty()) continue;
      if (line_.size() > kMaxLineBytes) {
        found += has_any(line_, kWho) ? 1 : 0;
        continue;
      }
      const std::size_t indent = indent_of(line_);
      std::erase_if(variables_, [&](const Variable& variable) { return indent < variable.indent; });
      enter_function(indent);
      const std::vector<ByteRange> values = values_in_line();
      for (const ByteRange& value : values) found += decides(value) ? 1 : 0;
      if (!values.empty()) follow(values, indent);
    }
    return found;
  }

  void add_variable(std::string_view name, std::size_t indent) {
    const Variable variable{std::string(name), indent};
    const bool is_name = !name.empty() && !is_digit(name[0]) && name != "_";
    if (is_name && variables_.size() < kMaxVariables &&
        std::ranges::find(variables_, variable) == variables_.end())
      variables_.push_back(variable);
  }

  // Adds the parameters that get a value, if the line defines a function.
  void enter_function(std::size_t indent) {
    const auto name = defined_name(language_, line_);
    if (!name) return;
    const std::size_t open = line_.find('(', static_cast<std::size_t>(name->data() - line_.data()));
    if (open == line_.npos) return;
    const auto parameters = call_arguments(line_.substr(open + 1));
    const auto [begin, end] = arguments_.equal_range(std::string(*name));
    for (auto argument = begin; argument != end; ++argument) {
      if (argument->second < parameters.size())
        add_variable(declared_name(parameters[argument->second]), indent + 1);
    }
  }

  // Returns the values in the line, without the target of an assignment.
  std::vector<ByteRange> values_in_line() const {
    std::vector<ByteRange> values;
    const auto add_all = [&](std::string_view word, bool is_whole) {
      for (std::size_t at = line_.find(word); at != line_.npos; at = line_.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !is_word_byte(word[0]) || !is_word_byte(line_[at - 1]);
        if (begins && (!is_whole || end == line_.size() || !is_word_byte(line_[end])))
          values.push_back({at, end});
      }
    };
    (void)any_listed(kWho, [&](auto word) {
      add_all(word, false);
      return false;
    });
    if (language_ == Language::kUnknown) {
      add_all("$0", true);
      add_all("$PROGRAM_NAME", true);
      add_all("${0", false);
    }
    const std::size_t whole = values.size();
    for (const Variable& variable : variables_) add_all(variable.name, true);
    const std::size_t sign = assignment_at(line_);
    if (sign == line_.npos || !is_target(line_.substr(0, sign))) return values;
    const auto variables =
        std::ranges::subrange(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end());
    const auto targets = std::ranges::remove_if(
        variables, [sign](const ByteRange& value) { return value.end <= sign; });
    values.erase(targets.begin(), targets.end());
    return values;
  }

  // Adds the variables that the line assigns, and the arguments of calls.
  void follow(const std::vector<ByteRange>& values, std::size_t indent) {
    const std::size_t sign = assignment_at(line_);
    for (const ByteRange& value : values) {
      add_argument(value);
      if (sign == line_.npos || value.begin < sign) continue;
      std::string_view target = line_.substr(0, sign);
      target = target.substr(target.find_last_of(";(") + 1);
      if (!is_target(target)) continue;
      const bool is_member =
          target.find("self.") != target.npos || target.find("this.") != target.npos;
      for (const std::string_view part : split(target, ','))
        add_variable(declared_name(part), is_member ? 0 : indent);
    }
  }

  // Remembers the position of a value among the arguments of a call.
  void add_argument(const ByteRange& value) {
    const std::size_t open = bracket_before(value.begin);
    if (open == line_.npos || line_[open] != '(') return;
    const std::string_view name = last_name(line_.substr(0, open));
    if (name.empty()) return;
    const auto parts = call_arguments(line_.substr(open + 1));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto begin = static_cast<std::size_t>(parts[i].data() - line_.data());
      if (value.begin < begin || value.begin >= begin + parts[i].size()) continue;
      const std::pair<const std::string, std::size_t> argument(name, i);
      if (arguments_.size() < kMaxVariables &&
          std::ranges::find(arguments_, argument) == arguments_.end()) {
        arguments_.insert(argument);
      }
    }
  }

  // Returns the bracket that is open at `at`, or npos.
  std::size_t bracket_before(std::size_t at) const {
    int depth = 0;
    while (at-- > 0) {
      const char c = line_[at];
      if (c == ')' || c == ']' || c == '}') ++depth;
      if ((c == '(' || c == '[' || c == '{') && depth-- == 0) return at;
    }
    return line_.npos;
  }

  // Returns the index after the bracket that closes the one at `open`.
  std::size_t after_bracket(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < line_.size(); ++at) {
      const char c = line_[at];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at + 1;
    }
    return line_.size();
  }

  bool ends_operand(std::size_t end) const {
    return end > 0 && (is_word_byte(line_[end - 1]) ||
                       std::string_view(")]}\"'").find(line_[end - 1]) != std::string_view::npos);
  }

  bool names_self(std::size_t begin, std::size_t end) const {
    return has_any(line_.substr(begin, end - begin), kSelf);
  }

  // Extends a value by its members, calls and subscripts. Returns true if one of them decides.
  bool extend(ByteRange& value) const {
    while (value.end < line_.size()) {
      const char c = line_[value.end];
      if (is_word_byte(c)) {
        std::size_t end = value.end;
        while (end < line_.size() && is_word_byte(line_[end])) ++end;
        const bool decides = is_deciding(line_.substr(value.end, end - value.end));
        const bool is_call = end < line_.size() && line_[end] == '(';
        value.end = end;
        if (decides && !(is_call && names_self(end, after_bracket(end)))) return true;
      } else if (c == '(' || c == '[') {
        value.end = after_bracket(value.end);
      } else if (c == '.' || line_.substr(value.end).starts_with("?.") ||
                 line_.substr(value.end).starts_with("->") ||
                 line_.substr(value.end).starts_with("::")) {
        value.end += c == '.' ? 1 : 2;
      } else {
        break;
      }
    }
    return false;
  }

  // Returns the text at the level of the value: blanks for nested brackets, "@" for the value.
  std::string level_of(const ByteRange& value, std::size_t begin, std::size_t end) const {
    std::string level(line_.substr(begin, end - begin));
    int depth = 0;
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::size_t at = begin + i;
      const char c = line_[at];
      if (at >= value.begin && at < value.end) {
        level[i] = '@';
        continue;
      }
      depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
      if (depth > 0) level[i] = ' ';
      depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
    }
    return level;
  }

  // Ends the parts of an expression that are no operands of the same comparison.
  void separate(std::string& level) const {
    constexpr std::string_view kBetween =
        "|&&|and |or |if |elif |while |else |then |unless |return |not |=>|<<|;|,|";
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::string_view rest = std::string_view(level).substr(i);
      const char after = rest.size() > 1 ? rest[1] : ' ';
      const char before = i > 0 ? level[i - 1] : ' ';
      const bool is_choice = (rest[0] == '?' && after != '.') ||
                             (rest[0] == ':' && after != ':' && before != ':' && after != '=');
      const bool is_or = rest.starts_with("||");
      std::size_t size = is_choice ? 1 : is_or ? 2 : 0;
      (void)any_listed(kBetween, [&](auto word) {
        const bool is_it =
            rest.starts_with(word) && !(is_word_byte(word[0]) && is_word_byte(before));
        if (is_it) size = std::max(size, word.size());
        return is_it;
      });
      for (std::size_t j = 0; j < size; ++j) level[i + j] = level[i + j] == ' ' ? ' ' : '\n';
      if (size > 0) i += size - 1;
    }
    const std::size_t sign = assignment_at(level);
    if (sign != level.npos && !is_shell_test(level)) level[sign] = '\n';
  }

  bool is_shell_test(std::string_view level) const {
    return language_ == Language::kUnknown && level.find(" = ") != level.npos;
  }

  // Returns true if the value is an operand of a comparison in `piece`, which begins at `begin`.
  bool compares(std::string_view piece, const ByteRange& value, std::size_t begin) const {
    const bool is_unknown = language_ == Language::kUnknown;
    const std::string_view words = trim(piece);
    if (is_unknown && has_any(words, "| grep|expr |")) return true;
    const auto starts = [words](auto word) { return words.starts_with(word); };
    if (any_listed("|echo|printf|print|puts|die|warn|", starts)) return false;
    if (any_listed("|switch |match |case |", starts)) return true;
    const bool is_test = is_shell_test(piece);
    if (!has_any(piece, kComparingWords) && !is_test) return false;
    std::string other;
    for (const char c : piece) {
      if (is_word_byte(c))
        other += c;
      else if (!other.empty() && other.back() != ' ')
        other += ' ';
    }
    const auto others = split(other, ' ');
    const bool is_nothing = std::ranges::all_of(others, [](auto word) {
      return word.empty() || word == "is" || is_listed(kNothing, word);
    });
    const std::string texts = replace_all(replace_all(piece, "\"\"", ""), "''", "");
    const bool has_other = texts.find_first_of("\"'`") != texts.npos;
    if (is_nothing && !has_other) return false;
    if (names_self(begin, value.begin) || names_self(value.end, begin + piece.size())) return false;
    return !is_own_name(plain_line_.substr(begin, piece.size()));
  }

  // Returns true for an equality with the name of the source itself.
  bool is_own_name(std::string_view piece) const {
    if (piece.find("==") == piece.npos && piece.find(" = ") == piece.npos) return false;
    for (const char mark : {'"', '\''}) {
      const std::string name = std::string(1, mark) + std::string(base_name(path_)) + mark;
      if (piece.find(name) != piece.npos) return true;
    }
    return false;
  }

  // Returns true if the line decides by the value, or by the result of a call with it.
  bool decides(ByteRange value) const {
    while (value.begin > 0 &&
           (is_word_byte(line_[value.begin - 1]) || line_[value.begin - 1] == '.')) {
      --value.begin;
    }
    for (;;) {
      if (extend(value)) return true;
      const std::size_t open = bracket_before(value.begin);
      const std::size_t begin = open == line_.npos ? 0 : open + 1;
      const std::size_t end = open == line_.npos ? line_.size() : after_bracket(open) - 1;
      if (end < value.end) return false;
      std::string level = level_of(value, begin, end);
      separate(level);
      const std::size_t at = level.find('@');
      const std::size_t from = level.rfind('\n', at) + 1;
      const std::size_t to = std::min(level.find('\n', at), level.size());
      const std::string_view piece = std::string_view(level).substr(from, to - from);
      if (compares(piece, value, begin + from)) return true;
      if (open == line_.npos || line_[open] == '{') return false;
      std::size_t callee = open;
      while (callee > 0 && (is_word_byte(line_[callee - 1]) || line_[callee - 1] == '.')) --callee;
      const std::string_view before = trim(line_.substr(0, open));
      const std::string_view name = last_name(before);
      if (line_[open] == '[' && ends_operand(open)) return true;  // a key
      if (is_listed(kConditionWords, name)) return false;
      const bool is_call = callee < open || name == "switch";
      if (is_call && is_deciding(name)) return !names_self(callee, end);
      value = {callee, std::min(end + 1, line_.size())};
    }
  }

  std::string_view path_;
  Language language_;
  std::string plain_;  // without comments
  std::string code_;   // without texts
  std::string_view line_;
  std::string_view plain_line_;
  std::vector<Variable> variables_;
  std::multimap<std::string, std::size_t> arguments_;  // positions of values, by function
};

}  // namespace

std::size_t runner_decisions(std::string_view path, std::string_view text) {
  return DecisionScan(path, text).count();
}

}  // namespace pedro
