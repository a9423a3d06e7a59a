#include "tools/shell_reader.h"

#include <algorithm>
#include <utility>

namespace pedro {
namespace {

constexpr std::size_t kMaxFrames = 64;
constexpr std::size_t kMaxCommands = 1000;

/// Returns the name set by "NAME=...", "NAME+=..." or "NAME[...]=...", or "".
std::string_view assigned_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_char(text[end])) ++end;
  const std::string_view name = text.substr(0, end);
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return "";
  std::string_view rest = text.substr(end);
  if (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) return "";
    rest.remove_prefix(close + 1);
  }
  if (rest.starts_with('+')) rest.remove_prefix(1);
  return rest.starts_with('=') ? name : "";
}

constexpr std::string_view kShellsDiffer = "shells disagree on its meaning";

/// Words that a command may follow.
constexpr std::string_view kPassed[] = {"if",    "then", "elif", "else", "fi", "while",
                                        "until", "do",   "done", "!",    "{",  "}"};

}  // namespace

ShellReader::ShellReader(const NestedText& text) : text_(text.text), dialect_(text.dialect) {
  Frame first;
  if (text.only_expansions) {
    first.kind = Kind::kBody;
    first.in_quotes = true;
  }
  frames_.push_back(first);
}

bool ShellReader::has_commands(Kind kind) {
  return kind == Kind::kTop || kind == Kind::kParens || kind == Kind::kCase || kind == Kind::kArray;
}

void ShellReader::fail(std::string_view problem) {
  if (problem_.empty()) problem_ = problem;
}

bool ShellReader::take(std::string_view expected) {
  if (!text_.substr(at_).starts_with(expected)) return false;
  at_ += expected.size();
  return true;
}

void ShellReader::push(Kind kind, bool in_quotes) {
  if (frames_.size() >= kMaxFrames) return fail("the commands are nested too deeply");
  arithmetic_ = arithmetic_ || kind == Kind::kArithmetic;
  Frame frame;
  frame.kind = kind;
  frame.in_quotes = in_quotes;
  frames_.push_back(std::move(frame));
}

ShellText ShellReader::read() {
  while (at_ < text_.size() && problem_.empty()) {
    switch (top().kind) {
      case Kind::kQuote:
      case Kind::kBody:
        step_quote();
        break;
      case Kind::kParameter:
        step_parameter();
        break;
      case Kind::kArithmetic:
        step_arithmetic();
        break;
      default:
        step_command();
    }
  }
  if (has_commands(top().kind)) finish_word();
  if (problem_.empty() && frames_.size() > 1) fail("something is not closed");
  if (top().dropped == Dropped::kTest) fail("'[[' is not closed");
  if (problem_.empty() && top().kind == Kind::kTop) end_command();
  if (arithmetic_ && joined_subscript_) fail("a subscript in a variable is not understood");
  std::erase_if(commands_, [](const ShellCommand& one) {
    return one.words.empty() && one.assigned.empty() && !one.input;
  });
  return {std::move(commands_), std::move(nested_), std::move(problem_)};
}

void ShellReader::step_command() {
  const char c = text_[at_];
  if (top().dropped == Dropped::kTest &&
      std::string_view("()|&;<>\n#").find(c) != std::string_view::npos) {
    return step_test(c);
  }
  if (step_blank(c) || step_operator(c)) return;
  if (c == '#' && !top().word.started) {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    return;
  }
  step_word_char(c);
}

// Handles characters that are not operators between [[ and ]].
void ShellReader::step_test(char c) {
  if (c == '#' && top().word.started) return step_word_char(c);
  const bool waits = c == '\n' && !here_.empty();
  if (c == ';' || c == '#' || waits || ((c == '<' || c == '>') && peek(1) == '(')) {
    return fail("this '[[' is not understood");
  }
  finish_word();
  ++at_;
}

bool ShellReader::step_blank(char c) {
  if (c == ' ' || c == '\t') {
    finish_word();
    ++at_;
    return true;
  }
  if (c != '\n') return false;
  finish_word();
  if (top().kind != Kind::kArray && !top().pattern && top().dropped != Dropped::kCaseSubject) {
    end_command();
  }
  ++at_;
  read_here_documents();
  return true;
}

bool ShellReader::step_operator(char c) {
  switch (c) {
    case ';':
      step_semicolon();
      return true;
    case '&':
      step_ampersand();
      return true;
    case '|':
      step_bar();
      return true;
    case '(':
      open_paren();
      return true;
    case ')':
      close_paren();
      return true;
    case '<':
    case '>':
      step_redirection(c);
      return true;
    default:
      return false;
  }
}

void ShellReader::step_semicolon() {
  finish_word();
  if (!problem_.empty()) return;
  const bool ends_case = peek(1) == ';' || peek(1) == '&';
  if (ends_case && top().kind != Kind::kCase) return fail("';;' is outside a case");
  end_command();
  at_ += ends_case ? 2 : 1;
  if (!ends_case) return;
  if (peek() == '&') ++at_;
  top().pattern = true;
}

void ShellReader::step_ampersand() {
  finish_word();
  if (peek(1) == '>') {  // &> and &>>: both streams, but not in every shell
    if (dialect_ == ShellDialect::kPosix) return fail(kShellsDiffer);
    at_ += take("&>>") ? 0 : 2;
    top().target = Target::kFile;
    return;
  }
  end_command();
  at_ += peek(1) == '&' ? 2 : 1;
}

void ShellReader::step_bar() {
  finish_word();
  if (!top().pattern) end_command();
  const bool two = peek(1) == '|' || peek(1) == '&';
  at_ += two ? 2 : 1;
}

/// Skips the "()" of a function definition "NAME ()". Returns false if there is none.
bool ShellReader::close_function_parens() {
  std::size_t ahead = 1;
  while (peek(ahead) == ' ' || peek(ahead) == '\t') ++ahead;
  if (peek(ahead) != ')') return false;
  at_ += ahead + 1;
  return true;
}

void ShellReader::open_paren() {
  Frame& frame = top();
  if (frame.pattern && !frame.word.started) {
    ++at_;
    return;
  }
  const Word& word = frame.word;
  if (word.started && word.text.ends_with('=') && !assigned_name(word.text).empty() &&
      word.quoted_from == std::string::npos) {
    ++at_;
    return push(Kind::kArray);
  }
  if (!word.started && frame.dropped == Dropped::kFor && peek(1) == '(') {
    at_ += 2;
    frame.dropped = Dropped::kNone;
    push(Kind::kArithmetic);
    top().parens = 2;
    return;
  }
  if (!word.started && frame.dropped == Dropped::kTimeOptions) frame.dropped = Dropped::kNone;
  finish_word();
  if (!problem_.empty()) return;
  const bool one_word = top().command >= 0 && commands_[index()].words.size() == 1;
  if (one_word && close_function_parens()) {
    commands_[index()].words.clear();
    return end_command();
  }
  if (top().command >= 0 || top().dropped != Dropped::kNone || top().kind == Kind::kArray) {
    return fail("a '(' is not understood here");
  }
  if (peek(1) == ')') return fail("'()' has no name");
  const bool arithmetic = peek(1) == '(';
  if (arithmetic && dialect_ == ShellDialect::kPosix) return fail(kShellsDiffer);
  at_ += arithmetic ? 2 : 1;
  push(arithmetic ? Kind::kArithmetic : Kind::kParens);
  if (arithmetic) top().parens = 2;
}

void ShellReader::close_paren() {
  finish_word();
  if (!problem_.empty()) return;
  ++at_;
  if (top().pattern) {
    top().pattern = false;
    return;
  }
  if (top().kind != Kind::kParens && top().kind != Kind::kArray) {
    return fail("a ')' closes nothing");
  }
  end_command();
  const std::size_t depth = frames_.size();
  const bool waits = std::any_of(here_.begin(), here_.end(),
                                 [depth](const auto& one) { return one.depth == depth; });
  if (waits) return fail("a here-document begins after its parentheses");
  frames_.pop_back();
}

ShellCommand& ShellReader::command() {
  if (top().command < 0) {
    if (commands_.size() >= kMaxCommands) fail("there are more than 1000 commands in it");
    top().command = static_cast<int>(commands_.size());
    commands_.emplace_back();
  }
  return commands_[index()];
}

// Records a variable as assigned, in a command without words.
void ShellReader::note_loop_variable(const std::string& name) {
  command().assigned.push_back(name);
  top().command = -1;
}

void ShellReader::end_command() {
  finish_word();
  if (!problem_.empty()) return;
  if (top().target != Target::kNone) return fail("a redirection leads nowhere");
  if (top().dropped == Dropped::kCaseSubject) return fail("a case has no 'in'");
  top().command = -1;
  top().dropped = Dropped::kNone;
  top().dropped_words = 0;
}

void ShellReader::finish_word() {
  if (!top().word.started || !problem_.empty()) return;
  Word word = std::move(top().word);
  top().word = {};
  if (word.glob || (word.brace && word.brace_parts)) word.known = false;
  // For a variable name, bash runs substitutions in its subscript, even if quoted.
  const std::size_t subscript = word.text.find('[');
  if (subscript != std::string::npos && word.quoted_from != std::string::npos) {
    const std::string_view inside = std::string_view(word.text).substr(subscript);
    if (inside.find("$(") != std::string_view::npos || inside.find('`') != std::string_view::npos) {
      return fail("a subscript with a substitution is not understood");
    }
  }
  take_word(std::move(word));
}

void ShellReader::take_word(Word word) {
  if (top().target != Target::kNone) return take_target(word);
  if (top().kind == Kind::kArray) return;
  const bool plain = word.known && word.quoted_from == std::string::npos;
  if (top().pattern) {
    if (plain && word.text == "esac") frames_.pop_back();
    return;
  }
  if (top().dropped != Dropped::kNone && take_dropped(word)) return;
  if (plain && top().command < 0 && take_reserved(word.text)) return;
  add_word(word);
}

void ShellReader::add_word(const Word& word) {
  ShellCommand& target = command();
  const std::string_view name = assigned_name(word.text);
  const bool unquoted = word.quoted_from > name.size();
  if (target.words.empty() && !name.empty() && unquoted) {
    target.assigned.emplace_back(name);
    const std::string_view value = std::string_view(word.text).substr(word.text.find('='));
    if (word.known) target.assigned.back().append(value);
    // In arithmetic, a value may be used as a name with a subscript, which bash then expands.
    joined_subscript_ = joined_subscript_ || (!word.known && value.find('[') != std::string::npos);
    return;
  }
  target.words.push_back({word.text, word.known});
}

void ShellReader::take_target(const Word& word) {
  const Target target = std::exchange(top().target, Target::kNone);
  ShellCommand& reader = command();
  if (target == Target::kFile) return;
  if (target == Target::kHereString) {
    reader.input = ShellWord{word.text, word.known};
    return;
  }
  if (!word.known) return fail("the end of a here-document is not a plain word");
  here_.push_back({word.text, word.quoted_from != std::string::npos, target == Target::kHereTabs,
                   top().command, frames_.size()});
}

// Returns true if the word is not part of a command.
bool ShellReader::take_dropped(const Word& word) {
  Frame& frame = top();
  const int count = ++frame.dropped_words;
  const bool plain = word.known && word.quoted_from == std::string::npos;
  switch (frame.dropped) {
    case Dropped::kFor:  // NAME [in WORDS], or NAME do
      if (count == 1) note_loop_variable(word.text);
      if (count == 2 && plain && word.text == "do") frame.dropped = Dropped::kNone;
      return true;
    case Dropped::kCaseSubject:
      if (count == 1) return true;
      if (!plain || word.text != "in") {
        fail("a case has no 'in'");
        return true;
      }
      frame.dropped = Dropped::kNone;
      push(Kind::kCase);
      top().pattern = true;
      return true;
    case Dropped::kFunctionName:
      frame.dropped = Dropped::kNone;
      while (peek() == ' ' || peek() == '\t') ++at_;
      if (peek() == '(' && !close_function_parens()) fail("a function has no body");
      return true;
    case Dropped::kTimeOptions:
      if (plain && (word.text == "-p" || word.text == "--")) return true;
      frame.dropped = Dropped::kNone;
      if (!word.known || word.text.starts_with('-')) fail(kShellsDiffer);
      return false;
    case Dropped::kTest:
      if (plain && word.text == "]]") frame.dropped = Dropped::kNone;
      return true;
    case Dropped::kNone:
      break;
  }
  return false;
}

// Returns true for reserved words of the shell's grammar.
bool ShellReader::take_reserved(const std::string& word) {
  const auto drop = [this](Dropped what) {
    top().dropped = what;
    top().dropped_words = 0;
    return true;
  };
  if (std::find(std::begin(kPassed), std::end(kPassed), word) != std::end(kPassed)) return true;
  if (word == "esac") {
    if (top().kind != Kind::kCase) fail("an 'esac' ends no case");
    if (problem_.empty()) frames_.pop_back();
    return true;
  }
  if (word == "for") return drop(Dropped::kFor);
  if (word == "case") return drop(Dropped::kCaseSubject);
  if (word == "time") return drop(Dropped::kTimeOptions);
  const bool only_bash = word == "select" || word == "function" || word == "[[" || word == "coproc";
  if (!only_bash) return false;
  if (dialect_ == ShellDialect::kPosix || word == "coproc") fail(kShellsDiffer);
  if (word == "select") return drop(Dropped::kFor);
  return drop(word == "[[" ? Dropped::kTest : Dropped::kFunctionName);
}

}  // namespace pedro
