#include "agent/script_words.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using WordList = std::vector<std::string>;

// Interpreters, without those that only start another program.
constexpr std::string_view kInterpreters =
    "|sh|bash|dash|zsh|ksh|fish|python|python2|python3|pypy3|node|nodejs|perl|ruby|php|lua|luajit"
    "|Rscript|tclsh|awk|gawk|expect|pwsh|bun|deno|.|source|eval|";
// Words after which the next word may be a program.
constexpr std::string_view kBeforePrograms =
    "|env|exec|time|nice|nohup|setsid|command|builtin|sudo|doas|xvfb-run|stdbuf|npx|bunx|pnpx|yarn"
    "|pnpm|poetry|uv|pipenv|pdm|rye|hatch|bundle|coverage|c8|nyc|cross-env|dotenv|run|COMMAND|<"
    "|-exec|-execdir|-ok|";
constexpr std::string_view kShellKeywords =
    "|if|then|else|elif|while|until|do|!|export|override|local|readonly|run:|cmd:|cmds:|script:"
    "|command:|commands:|sh:|-|";
// Programs any of whose words may be a program.
constexpr std::string_view kWrappers =
    "|env|go|sudo|timeout|gtimeout|xargs|parallel|flock|taskset|chrt|ionice|nice|strace|ltrace"
    "|valgrind|watch|unshare|systemd-run|faketime|retry|su|runuser|chroot|script|nsenter|firejail|"
    "bwrap|";
// Programs that only read the files of their words.
constexpr std::string_view kReaders =
    "|shellcheck|shfmt|checkbashisms|grep|cat|wc|ls|rm|chmod|cp|mv|install|sed|head|tail|file|stat"
    "|diff|md5sum|sha256sum|git|black|ruff|flake8|pylint|mypy|eslint|prettier|py_compile|perltidy|";
// Programs that compare outputs, and those that compare texts.
constexpr std::string_view kFileComparers = "|diff|cmp|comm|grep|egrep|fgrep|";
constexpr std::string_view kTextComparers = "|diff|cmp|comm|grep|egrep|fgrep|test|[|[[|case|";
constexpr std::string_view kAssignments = "|=|:=|::=|:::=|?=|+=|!=|";
// Test runners whose words name files or folders.
constexpr std::string_view kRunners =
    "|prove|bats|shellspec|roundup|cram|lit|behave|robot|busted|pytest|py.test|nose2|nosetests"
    "|nosetests3|mocha|jasmine|unittest|stestr|trial|ward|hurl|venom|--test|";
// Their options with a value that names no file.
constexpr std::string_view kValueOptions = "|-k|-m|-n|-c|-o|-W|-j|-I|-P|-t|-e|--reporter|";

bool is_gap(char c) {
  return c == ' ' || c == '\t';
}

std::string_view file_name_of(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

std::string module_path(std::string_view module) {
  return replace_all(module, ".", "/");
}

bool has_listed(const WordList& words, std::string_view listed) {
  return std::any_of(words.begin(), words.end(),
                     [listed](const auto& word) { return is_listed(listed, file_name_of(word)); });
}

void append_words(WordList& words, const WordList& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Reads one command after the other.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  ScriptWords read() {
    for (; at_ < text_.size(); ++at_) step(text_[at_]);
    end_command();
    end_loop();
    for (const std::string& program : words_.compared) {
      const auto captures = std::ranges::count(captured_, program);  // into a compared value
      for (auto use = 0; use <= captures; ++use) {
        const auto at = std::ranges::find(words_.programs, program);
        if (at != words_.programs.end()) words_.programs.erase(at);  // other uses of it stay
      }
      std::erase(captured_, program);
    }
    return std::move(words_);
  }

 private:
  void step(char c) {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c == '\\' && (next == '\n' || is_gap(next))) {
      ++at_;
      if (next == '\n') return end_word();
      word_ += ' ';
    } else if (c == '"' || c == '\'') {
      add_quoted(c);
    } else if (c == '&' && at_ > 0 && text_[at_ - 1] == '>') {
      word_ += c;  // 2>&1
    } else if (is_gap(c)) {
      end_word();
    } else if (std::string_view("\n\r;&|(){},`").find(c) != std::string_view::npos) {
      end_command();
      if (c == '|') append_words(piped_, last_);
      if (c == '\n' || c == ';') piped_.clear();
      begin_command(c, next);
    } else {
      word_ += c;
    }
  }

  // Notes the relation of the next command to the one before, after a separator.
  void begin_command(char separator, char next) {
    const char before = at_ > 0 ? text_[at_ - 1] : '\0';
    if (separator != '|' || next == '|' || before == '|') writers_.clear();
    if (separator == '|') append_words(writers_, programs_);
    const bool begins = (separator == '(' && (before == '$' || before == '<')) ||
                        (separator == '`' && !is_captured_);
    is_compared_ = begins && has_listed(last_, kTextComparers);
    is_captured_ = !is_compared_ && (begins || (is_captured_ && separator == '|'));
    last_.clear();
    programs_.clear();
  }

  // Adds a name with blanks in quotes. Its text is read as commands as well.
  void add_quoted(char quote) {
    const std::size_t end = text_.find_first_of(std::string{quote, '\n'}, at_ + 1);
    if (end == text_.npos || text_[end] == '\n') return;
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (std::any_of(inside.begin(), inside.end(), is_gap)) words_.programs.emplace_back(inside);
  }

  void end_word() {
    const std::string_view kBrackets = "[]";  // of a list of JSON
    const std::size_t first = word_.find_first_not_of(kBrackets);
    const std::size_t last = word_.find_last_not_of(kBrackets);
    const bool is_pattern = word_.find('[') != word_.npos && word_.find(']') != word_.npos;
    if (first != word_.npos && !is_pattern) word_ = word_.substr(first, last - first + 1);
    if (!word_.empty()) command_.push_back(std::move(word_));
    word_.clear();
  }

  void end_command() {
    end_word();
    if (command_.empty()) return;
    const std::size_t first = words_.programs.size();
    read_options();
    read_programs();
    programs_.assign(words_.programs.begin() + static_cast<std::ptrdiff_t>(first),
                     words_.programs.end());
    if (command_[0] == "." || command_[0] == "source") {
      words_.programs.resize(first);
      append_words(words_.sourced, programs_);
    }
    read_comparison();
    last_ = std::exchange(command_, {});
  }

  // Finds programs whose output is compared: piped, in a file, or as a word.
  void read_comparison() {
    if (is_compared_) append_words(words_.compared, programs_);
    if (is_captured_) append_words(captured_, programs_);
    for (std::size_t i = 0; i < command_.size(); ++i) {
      const std::string& word = command_[i];
      if (!word.starts_with('>') || word.starts_with(">>") || word.starts_with(">&")) continue;
      if (word.size() > 1) outputs_[word.substr(1)] = programs_;
      if (word.size() == 1 && i + 1 < command_.size()) outputs_[command_[i + 1]] = programs_;
    }
    if (!is_compared_ && !has_listed(command_, kFileComparers)) return;
    append_words(words_.compared, writers_);
    writers_.clear();
    for (const std::string& word : command_) {
      const auto output = outputs_.find(word);
      if (output == outputs_.end()) continue;
      append_words(words_.compared, output->second);
      outputs_.erase(output);
    }
  }

  // Reads options that mean the same for most programs.
  void read_options() {
    const bool runs_pytest = has_listed(command_, "|pytest|py.test|");
    // "$(MAKE) -f x" leaves a command that begins with an option.
    const bool runs_make =
        command_[0].starts_with('-') || has_listed(command_, "|make|gmake|just|");
    for (std::size_t i = 0; i < command_.size(); ++i) {
      const std::string& word = command_[i];
      const std::string value = i + 1 < command_.size() ? command_[i + 1] : "";
      if (is_listed("|cd|pushd|-C|--directory|--prefix|--cwd|--chdir|", word)) {
        words_.folders.push_back(value);
      } else if (word.starts_with("-C")) {
        words_.folders.push_back(word.substr(2));
      } else if (word.starts_with("--directory=")) {
        words_.folders.push_back(word.substr(word.find('=') + 1));
      } else if (runs_make && is_listed("|-f|--file|--makefile|--justfile|", word)) {
        words_.makefiles.push_back(value);
      } else if (word.starts_with("--file=") || word.starts_with("--makefile=")) {
        words_.makefiles.push_back(word.substr(word.find('=') + 1));
      } else if (is_listed("|--example|--bin|", word) || word == "run") {
        add_cargo_program(word, value);
      } else if (word == "-m") {
        words_.modules.push_back(module_path(value));
      } else if (runs_pytest && word.starts_with("-p") && word.find(':') == word.npos) {
        words_.plugins.push_back(module_path(word == "-p" ? value : word.substr(2)));
      }
    }
  }

  // Adds the source of a program that Cargo runs.
  void add_cargo_program(std::string_view option, const std::string& name) {
    if (!has_listed(command_, "|cargo|")) return;
    if (option == "run") return words_.programs.emplace_back("src/main.rs"), void();
    const std::string folder = option == "--bin" ? "src/bin/" : "examples/";
    words_.programs.push_back(folder + name + ".rs");
    words_.programs.push_back(folder + name + "/main.rs");
  }

  void read_programs() {
    if (has_listed(command_, "|xargs|parallel|") && !has_listed(command_, kReaders)) {
      append_words(words_.programs, piped_);
      append_words(words_.loops, piped_);
    }
    bool takes_all = has_listed(command_, kWrappers);
    bool is_next = true;  // the word may be a program
    bool takes_places = false;
    for (std::size_t i = 0; i < command_.size(); ++i) {
      std::string_view word = command_[i];
      while (is_next && (word.starts_with('@') || word.starts_with('+') || word.starts_with("-./")))
        word.remove_prefix(1);
      if (is_next && word == "for") return begin_loop(i + 3);
      if (is_next && word == "done") end_loop();
      if (word.empty() || (is_next && is_listed(kShellKeywords, word))) continue;
      if (i > 0 && i < 3 && is_listed(kAssignments, word)) return;  // with_values() reads it
      if (is_next && word.find('=') != word.npos) continue;
      if (is_next && is_listed(kReaders, file_name_of(word))) takes_all = false;
      if (takes_places && is_place(i)) words_.places.emplace_back(word);
      takes_places = takes_places || begins_places(i, is_next);
      const bool is_interpreter =
          is_listed(kInterpreters, file_name_of(word)) && (is_next || word != ".");
      const bool is_variable = is_next && word.find('$') < 3;
      const bool only_parses = has_listed(command_, "|-n|");  // "bash -n"
      runs_loop_ = runs_loop_ || ((is_interpreter || is_variable) && !only_parses);
      if (is_interpreter || is_listed(kBeforePrograms, file_name_of(word))) {
        if (is_next) words_.programs.emplace_back(word);  // a file may have that name
        is_next = true;
      } else if (!word.starts_with('-')) {
        if (is_next || takes_all) words_.programs.emplace_back(word);
        is_next = takes_all;
      }
    }
  }

  // Returns true if the words after this one name tests.
  bool begins_places(std::size_t i, bool is_next) const {
    const std::string& word = command_[i];
    if (!is_listed(kRunners, file_name_of(word))) return false;
    return is_next || word == "--test" || (i > 0 && command_[i - 1] == "-m");
  }

  // Folders of `node --test` may have sources too, so only its patterns count.
  bool is_place(std::size_t i) const {
    const std::string& word = command_[i];
    if (word.starts_with('-') || is_listed(kValueOptions, command_[i - 1])) return false;
    return word.find('*') != word.npos || !has_listed(command_, "|--test|");
  }

  // Reads "for NAME in WORDS". Its words count at the end, if the loop runs something.
  void begin_loop(std::size_t first) {
    end_loop();
    for (std::size_t i = first; i < command_.size(); ++i) loop_.push_back(command_[i]);
  }

  void end_loop() {
    if (runs_loop_) append_words(words_.loops, loop_);
    if (runs_loop_) append_words(words_.programs, loop_);
    loop_.clear();
    runs_loop_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  WordList command_;
  WordList last_;      // the command before
  WordList programs_;  // of the command before
  WordList writers_;   // programs that write into the pipe of the next command
  std::map<std::string, WordList> outputs_;  // programs by the file of their output
  bool is_compared_ = false;                 // the command's output is a word of a comparison
  bool is_captured_ = false;                 // it is a value or a word of another command
  WordList captured_;                        // programs of such commands
  WordList piped_;                           // words that the line has written into pipes
  WordList loop_;                            // words of an open loop
  bool runs_loop_ = false;                   // a command of the loop runs its variable
  ScriptWords words_;
};

constexpr std::size_t kMaxMakeBytes = 256 * 1024;
constexpr int kMaxNested = 8;  // of variables in variables
constexpr char kUnknownPart = '\x01';

using MakeValues = std::map<std::string, std::string, std::less<>>;

std::string without_quotes(std::string_view text) {
  return replace_all(replace_all(text, "\"", ""), "'", "");
}

// Reads lines "NAME = value", "NAME := value" and "NAME=value". The last value counts.
MakeValues values_in(std::string_view text) {
  MakeValues values;
  const std::string joined = replace_all(text, "\\\n", " ");
  for (const std::string_view whole : split_lines(joined)) {
    std::string_view line = trim(whole);
    for (const std::string_view word : {"export ", "override "}) {
      if (line.starts_with(word)) line = trim(line.substr(word.size()));
    }
    std::size_t end = 0;
    while (end < line.size() && is_word_byte(line[end])) ++end;
    const std::size_t equal = line.find('=', end);
    if (end == 0 || equal == line.npos) continue;
    const std::string_view between = trim(line.substr(end, equal - end));
    if (between.find_first_not_of(":?+!") != between.npos) continue;
    std::string value = without_quotes(trim(line.substr(equal + 1)));
    std::string& known = values[std::string(line.substr(0, end))];
    known = between == "+" ? known + " " + value : value;
  }
  return values;
}

// A reference to a variable or a call of a function, "$(...)", "${...}" or "$NAME".
struct MakeReference {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view inside;
};

MakeReference reference_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] == '$') ++end;  // "$$NAME" of a recipe
  if (end < text.size() && (text[end] == '(' || text[end] == '{')) {
    const std::size_t first = end + 1;
    int depth = 0;
    for (; end < text.size(); ++end) {
      depth += text[end] == '(' || text[end] == '{' ? 1 : 0;
      depth -= text[end] == ')' || text[end] == '}' ? 1 : 0;
      if (depth == 0) return {at, end + 1, text.substr(first, end - first)};
    }
    return {at, end, ""};
  }
  const std::size_t first = end;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return {at, end, text.substr(first, end - first)};
}

std::string replaced_once(std::string_view text, const MakeValues& values) {
  std::string result;
  for (std::size_t at = 0; at < text.size() && result.size() < kMaxMakeBytes;) {
    const std::size_t next = std::min(text.find('$', at), text.size());
    result += text.substr(at, next - at);
    if (next == text.size()) break;
    const MakeReference found = reference_at(text, next);
    const auto value = values.find(found.inside);
    // A reference inside another one is replaced in the next pass.
    const std::size_t end = value == values.end() ? next + 1 : found.end;
    result += value == values.end() ? std::string_view("$") : std::string_view(value->second);
    at = end;
  }
  return result;
}

// Returns the end of names that a function makes: ".d" for "OBJS:.o=.d".
std::string made_ending(std::string_view inside) {
  const std::size_t mark = inside.find_last_of("%=");
  const std::size_t dot = inside.find('.', mark == inside.npos ? 0 : mark);
  if (mark == inside.npos || dot == inside.npos) return "";
  std::size_t end = dot + 1;
  while (end < inside.size() && is_word_byte(inside[end])) ++end;
  return std::string(inside.substr(dot, end - dot));
}

// Returns names, with kUnknownPart in place of each value that the text does not show.
std::string with_expansions(std::string_view text, const MakeValues& values, int depth) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    const MakeReference found = reference_at(text, at);
    const auto value = values.find(found.inside);
    constexpr std::string_view kWildcard = "wildcard ";
    if (depth < kMaxNested && value != values.end() && result.size() < kMaxMakeBytes) {
      result += with_expansions(value->second, values, depth + 1);
    } else if (depth < kMaxNested && found.inside.starts_with(kWildcard)) {
      result += with_expansions(found.inside.substr(kWildcard.size()), values, depth + 1);
    } else {
      result += kUnknownPart + made_ending(found.inside);
    }
    at = std::max(found.end, at + 1);
  }
  return result;
}

}  // namespace

ScriptWords script_words(std::string_view text) {
  return WordReader(text).read();
}

std::string with_values(std::string_view text) {
  const MakeValues values = values_in(text);
  std::string result(text.substr(0, kMaxMakeBytes));
  for (int pass = 0; pass < 3; ++pass) result = replaced_once(result, values);
  return result;
}

std::vector<std::string> included_patterns(std::string_view text) {
  const MakeValues values = values_in(text);
  const std::string joined = replace_all(text, "\\\n", " ");
  std::vector<std::string> patterns;
  for (const std::string_view whole : split_lines(joined)) {
    const std::string_view line = trim(whole);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    if (!is_listed("|include|-include|sinclude|.include|.-include|", line.substr(0, end))) continue;
    std::string names = with_expansions(line.substr(end), values, 0);
    std::replace(names.begin(), names.end(), '\t', ' ');
    for (const std::string_view piece : split(names, ' ')) {
      std::string name = without_quotes(piece);
      while (name.starts_with("./")) name.erase(0, 2);
      if (name.find_first_not_of(std::string("*?/.") + kUnknownPart) == name.npos) continue;
      const std::string unknown(1, kUnknownPart);
      add_once(patterns, replace_all(name, unknown, "*"));
      if (name.find(kUnknownPart) != name.npos) {
        add_once(patterns, "**/" + replace_all(name, unknown, "*"));
      }
    }
  }
  return patterns;
}

}  // namespace pedro
