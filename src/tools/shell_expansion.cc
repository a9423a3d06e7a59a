#include <algorithm>
#include <utility>

#include "tools/shell_reader.h"

namespace pedro {
namespace {

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_special_parameter(char c) {
  return c != '\0' && std::string_view("@*#?-$!0123456789").find(c) != std::string_view::npos;
}

/// Returns true for "{NAME}" or digits, which name a descriptor before '<' or '>'.
bool is_descriptor(std::string_view text) {
  if (text.starts_with('{') && text.ends_with('}')) {
    text = text.substr(1, text.size() - 2);
    return !text.empty() && std::all_of(text.begin(), text.end(), is_name_char);
  }
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_tabs(std::string_view line, bool strip) {
  while (strip && line.starts_with('\t')) line.remove_prefix(1);
  return line;
}

bool ends_with_escape(std::string_view line) {
  return (line.size() - (line.find_last_not_of('\\') + 1)) % 2 == 1;
}

}  // namespace

ShellReader::Frame& ShellReader::owner() {
  for (std::size_t i = frames_.size(); i-- > 1;) {
    if (has_commands(frames_[i].kind)) return frames_[i];
  }
  return frames_.front();
}

void ShellReader::add_char(char c) {
  Word& word = owner().word;
  word.started = true;
  word.text += c;
}

void ShellReader::add_quoted(char c) {
  Word& word = owner().word;
  word.quoted_from = std::min(word.quoted_from, word.text.size());
  add_char(c);
}

void ShellReader::mark_unknown() {
  Word& word = owner().word;
  word.started = true;
  word.known = false;
}

void ShellReader::step_word_char(char c) {
  Word& word = top().word;
  switch (c) {
    case '\'':
      return read_single_quotes();
    case '"':
      ++at_;
      word.started = true;
      word.quoted_from = std::min(word.quoted_from, word.text.size());
      return push(Kind::kQuote, true);
    case '$':
      return read_dollar(false);
    case '`':
      return read_backticks(false);
    case '\\':
      if (peek(1) == '\n') {
        at_ += 2;
        return;
      }
      if (peek(1) != '\0') ++at_;
      add_quoted(text_[at_++]);
      return;
    case '*':
    case '?':
      word.glob = true;
      break;
    case '[':
      word.bracket = true;
      break;
    case ']':
      word.glob = word.glob || word.bracket;
      break;
    case '{':
      word.brace = true;
      break;
    case ',':
      word.brace_parts = word.brace_parts || word.brace;
      break;
    case '.':
      word.brace_parts = word.brace_parts || (word.brace && peek(1) == '.');
      break;
    default:
      break;
  }
  add_char(c);
  ++at_;
}

void ShellReader::step_redirection(char c) {
  Word& word = top().word;
  if (peek(1) == '(') {
    mark_unknown();
    at_ += 2;
    return push(Kind::kParens);
  }
  if (word.started && word.known && word.quoted_from == std::string::npos &&
      is_descriptor(word.text)) {
    word = {};
  }
  finish_word();
  if (!problem_.empty()) return;
  if (top().pattern || top().target != Target::kNone) return fail("a redirection leads nowhere");
  if (take("<<<")) {
    top().target = Target::kHereString;
  } else if (take("<<-")) {
    top().target = Target::kHereTabs;
  } else if (take("<<")) {
    top().target = Target::kHere;
  } else {
    ++at_;
    const char next = peek();
    if (next == '&' || (next == '>' && c == '<') || (c == '>' && (next == '>' || next == '|'))) {
      ++at_;
    }
    top().target = Target::kFile;
  }
}

void ShellReader::read_single_quotes() {
  const std::size_t close = text_.find('\'', at_ + 1);
  if (close == std::string_view::npos) return fail("a quote is not closed");
  Word& word = owner().word;
  word.started = true;
  word.quoted_from = std::min(word.quoted_from, word.text.size());
  word.text += text_.substr(at_ + 1, close - at_ - 1);
  at_ = close + 1;
}

// Inside "...", and in the body of a here-document.
void ShellReader::step_quote() {
  const char c = text_[at_];
  if (c == '"' && top().kind == Kind::kQuote) {
    ++at_;
    frames_.pop_back();
  } else if (c == '$') {
    read_dollar(true);
  } else if (c == '`') {
    read_backticks(true);
  } else if (c == '\\' && peek(1) == '\n') {
    at_ += 2;
  } else if (c == '\\' && peek(1) != '\0' &&
             std::string_view("$`\"\\").find(peek(1)) != std::string_view::npos) {
    add_quoted(peek(1));
    at_ += 2;
  } else {
    add_quoted(c);
    ++at_;
  }
}

// Inside ${...}.
void ShellReader::step_parameter() {
  const char c = text_[at_];
  const bool substitutes = (c == '<' || c == '>') && peek(1) == '(';
  const bool as_prompt = c == '@' && peek(1) == 'P';  // runs its value
  if (substitutes || as_prompt) return fail("this '${' is not understood");
  switch (c) {
    case '}':
      ++at_;
      frames_.pop_back();
      return;
    case '\'':  // its meaning differs between shells
      if (top().in_quotes) return fail("a quote inside '\"${' is not understood");
      return read_single_quotes();
    case '"':
      ++at_;
      return push(Kind::kQuote, true);
    case '$':
      return read_dollar(top().in_quotes);
    case '`':
      return read_backticks(top().in_quotes);
    case '\\':
      at_ += peek(1) == '\0' ? 1 : 2;
      return;
    default:
      ++at_;
  }
}

// Inside ((...)).
void ShellReader::step_arithmetic() {
  Frame& frame = top();
  const char c = text_[at_];
  switch (c) {
    case '(':
      ++frame.parens;
      break;
    case ')':
      if (frame.parens == 2) {
        if (!take("))")) return fail("a '((' is closed like two subshells");
        frames_.pop_back();
        return;
      }
      --frame.parens;
      break;
    case '$':
      return read_dollar(true);
    case '`':
      return read_backticks(true);
    case '\'':
    case '"':
    case '\\':
      return fail("a '((' with quotes is not understood");
    default:
      break;
  }
  ++at_;
}

void ShellReader::read_dollar(bool in_quotes) {
  const char next = peek(1);
  if (next == '(' && peek(2) == '(') {
    mark_unknown();
    at_ += 3;
    push(Kind::kArithmetic);
    top().parens = 2;
    return;
  }
  if (next == '(') {
    mark_unknown();
    at_ += 2;
    return push(Kind::kParens);
  }
  if (next == '{') {
    mark_unknown();
    const char first = peek(2);
    at_ += 2;
    if (first == ' ' || first == '\t' || first == '\n' || first == '|') {
      return fail("a '${' with commands is not understood");
    }
    if (peek() == '#' && peek(1) == '}') ++at_;
    return push(Kind::kParameter, in_quotes);
  }
  if (next == '[') return fail("'$[' is not understood");
  if (next == '\'' && !in_quotes) return read_ansi_quotes();
  if (next == '"' && !in_quotes) {  // translated text, or a dollar sign
    mark_unknown();
    ++at_;
    return;
  }
  if (begins_name(next) || is_special_parameter(next)) {
    mark_unknown();
    at_ += 2;
    while (begins_name(next) && is_name_char(peek())) ++at_;
    return;
  }
  if (in_quotes) {
    add_quoted('$');
  } else {
    add_char('$');
  }
  ++at_;
}

void ShellReader::read_ansi_quotes() {
  const std::size_t close = text_.find('\'', at_ + 2);
  if (close == std::string_view::npos) return fail("a quote is not closed");
  if (text_.substr(at_ + 2, close - at_ - 2).ends_with('\\')) {
    return fail("an escaped quote inside $'…' is not understood");
  }
  mark_unknown();
  at_ = close + 1;
}

void ShellReader::read_backticks(bool in_quotes) {
  std::string inside;
  std::size_t i = at_ + 1;
  for (; i < text_.size() && text_[i] != '`'; ++i) {
    const std::string_view escaped = in_quotes ? "`\\$\"" : "`\\$";
    const bool escape = text_[i] == '\\' && i + 1 < text_.size() &&
                        escaped.find(text_[i + 1]) != std::string_view::npos;
    if (escape) ++i;
    inside += text_[i];
  }
  if (i >= text_.size()) return fail("a backtick is not closed");
  mark_unknown();
  nested_.push_back({std::move(inside), dialect_});
  at_ = i + 1;
}

// After a newline: reads the bodies of here-documents announced in the line.
void ShellReader::read_here_documents() {
  std::vector<HereDocument> documents = std::exchange(here_, {});
  for (const HereDocument& document : documents) {
    if (document.depth != frames_.size())
      return fail("a here-document is not where it is expected");
    read_here_document(document);
    if (!problem_.empty()) return;
  }
}

void ShellReader::read_here_document(const HereDocument& document) {
  std::string body;
  while (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = without_tabs(text_.substr(at_, end - at_), document.tabs);
    at_ = std::min(end + 1, text_.size());
    if (line == document.end) break;
    if (!document.quoted && ends_with_escape(line)) {
      return fail("a here-document with continued lines is not understood");
    }
    body.append(line) += '\n';
  }
  const bool expands = !document.quoted && body.find_first_of("$`\\") != std::string::npos;
  if (expands) nested_.push_back({body, dialect_, true});
  commands_[static_cast<std::size_t>(document.command)].input = ShellWord{body, !expands};
}

}  // namespace pedro
