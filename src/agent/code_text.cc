#include "agent/code_text.h"

#include <algorithm>

#include "agent/check_names.h"
#include "agent/other_literals.h"
#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxCharBytes = 10;  // '\u{1F600}'
constexpr int kMaxFields = 4;              // nested expressions in texts; deeper ones are text

/// Blanks out parts of a source text, from its start to its end.
class CodeScan {
 public:
  CodeScan(std::string_view path, std::string_view text, bool hides_texts)
      : text_(text), code_(text), hides_texts_(hides_texts), has_chars_(has_char_literals(path)) {
    const std::string_view extension = extension_of(path);
    const Language language = language_of(path);
    is_python_ = language == Language::kPython;
    is_shell_ = is_shell_script(path, text);
    has_dashes_ = extension == ".lua";
    has_slashes_ = !is_python_ && (language != Language::kUnknown ||
                                   is_listed("|.kt|.php|.m|.mm|.swift|.cs|.scala|", extension));
    has_ticks_ = language == Language::kJavaScript || language == Language::kTypeScript ||
                 language == Language::kGo;
    has_pods_ = is_listed("|.pl|.pm|.rb|", extension);
    reads_docs_ = has_any(text, "|__doc__|getdoc|");
  }

  std::string code() && {
    read_code(false);
    return std::move(code_);
  }

 private:
  bool starts(std::string_view part) const { return after(0).starts_with(part); }

  // Returns the text from `step` bytes after the current one, or "".
  std::string_view after(std::size_t step) const {
    return text_.substr(std::min(at_ + step, text_.size()));
  }

  bool is_line_start() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  // Returns the end of the comment that begins here; `at_` if there is none.
  std::size_t comment_end() const {
    const auto until = [this](std::string_view mark) {
      const std::size_t end = text_.find(mark, at_ + 1);
      return end == text_.npos ? text_.size() : end;
    };
    if (has_pods_ && is_line_start() && starts("=") && at_ + 1 < text_.size() &&
        is_word_byte(text_[at_ + 1])) {
      std::size_t end = until("\n=");
      while (end < text_.size() && !is_listed("|cut|end|", text_.substr(end + 2, 3))) {
        end = std::min(text_.find("\n=", end + 1), text_.size());
      }
      return std::min(end + 5, text_.size());
    }
    if (has_slashes_ && starts("/*")) return std::min(until("*/") + 2, text_.size());
    if (has_slashes_ && starts("//")) return until("\n");
    if (has_dashes_ && starts("--")) return until("\n");
    const bool is_mark = !has_slashes_ && !has_dashes_ && starts("#") &&
                         (is_python_ || is_line_start() ||
                          std::string_view(" \t;").find(text_[at_ - 1]) != text_.npos);
    return is_mark ? until("\n") : at_;
  }

  bool opens_text() const {
    const char c = text_[at_];
    if (unclosed_.find(c) != unclosed_.npos) return false;
    if (c == '`') return has_ticks_;
    if (c == '"') return !is_shell_;
    if (c != '\'' || !has_chars_) return c == '\'';
    if (!after(1).starts_with('\\')) return after(2).starts_with('\'');  // no lifetime
    return after(2).substr(0, kMaxCharBytes).find('\'') != text_.npos;
  }

  void blank(std::size_t begin, std::size_t end, char with) {
    for (std::size_t i = begin; i < end; ++i) {
      if (code_[i] != '\n') code_[i] = with;
    }
  }

  // Returns the index after the code before `at`, without a prefix of a text, and blanks.
  std::size_t code_before(std::size_t at) const {
    while (at > 0 && is_word_byte(text_[at - 1])) --at;
    while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
    return at;
  }

  // Returns true for a text of Python that is a statement: a docstring.
  bool is_statement(std::size_t at) const {
    if (!is_python_ || depth_ > 0 || reads_docs_) return false;
    const std::size_t before = code_before(at);
    if (before == 0 || text_[before - 1] == '\n') {
      return std::string_view(",=+%\\").find(last_) == std::string_view::npos;
    }
    if (last_ != ':') return false;
    const std::size_t line = text_.rfind('\n', before) + 1;
    const std::string_view head = trim(text_.substr(line, before - line));
    return head.starts_with("def ") || head.starts_with("class ");
  }

  // Returns true if the quote at `at` has a prefix with "f".
  bool is_format(std::size_t at) const {
    std::size_t begin = at;
    while (begin > 0 && is_word_byte(text_[begin - 1])) --begin;
    return is_python_ && at - begin <= 2 &&
           to_lower(text_.substr(begin, at - begin)).find('f') != std::string::npos;
  }

  void read_text() {
    const std::size_t begin = at_;
    const char quote = text_[begin];
    const bool is_triple = is_python_ && text_.substr(begin, 3) == std::string(3, quote);
    const std::string_view mark = text_.substr(begin, is_triple ? 3 : 1);
    const bool has_fields = is_format(begin);
    const bool is_doc = !has_fields && is_statement(begin);
    for (at_ += mark.size(); !starts(mark); ++at_) {
      const bool ends_line = at_ < text_.size() && text_[at_] == '\n';
      if (at_ >= text_.size() || (ends_line && !is_triple && quote != '`')) {  // it is no text
        code_.replace(begin, at_ - begin, text_.substr(begin, at_ - begin));
        if (!ends_line) unclosed_ += quote;
        at_ = begin + 1;
        return;
      }
      const bool opens = quote == '`' ? starts("${") : has_fields && starts("{") && !starts("{{");
      if (opens && fields_ < kMaxFields) {
        if (quote == '`' && hides_texts_) blank(at_, at_ + 1, '_');
        at_ += quote == '`' ? 1 : 0;
        read_field();
        continue;
      }
      const std::size_t size = text_[at_] == '\\' || starts("{{") ? 2 : 1;
      const std::size_t end = std::min(at_ + size, text_.size());
      if (hides_texts_) blank(at_, end, '_');
      at_ = end - 1;
    }
    at_ += mark.size();
    const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view rest = trim(text_.substr(at_, line_end - at_));
    if (is_doc && (rest.empty() || rest.starts_with('#'))) blank(begin, at_, ' ');
    last_ = '"';
  }

  // Reads an expression in a text, up to its closing brace.
  void read_field() {
    const std::size_t open = at_++;
    ++fields_;
    read_code(true);
    --fields_;
    if (!hides_texts_ || at_ >= text_.size()) return;
    code_[open] = '(';
    code_[at_] = ')';
  }

  // Reads up to the end, or to the brace that closes an expression in a text.
  void read_code(bool is_field) {
    const int outer = depth_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (const std::size_t end = comment_end(); end > at_) {
        blank(at_, end, ' ');
        at_ = end;
        continue;
      }
      if (opens_text()) {
        read_text();
        continue;
      }
      if (is_field && c == '}' && depth_ == outer) return;
      depth_ += c == '(' || c == '[' || c == '{' ? 1 : 0;
      depth_ -= c == ')' || c == ']' || c == '}' ? 1 : 0;
      if (!trim(text_.substr(at_, 1)).empty()) last_ = c;
      ++at_;
    }
  }

  std::string_view text_;
  std::string code_;
  bool hides_texts_;
  bool has_chars_;
  bool is_python_ = false;
  bool is_shell_ = false;
  bool has_slashes_ = false;
  bool has_dashes_ = false;
  bool has_ticks_ = false;
  bool has_pods_ = false;    // =pod, =begin
  bool reads_docs_ = false;  // of its functions
  std::size_t at_ = 0;
  int depth_ = 0;         // of brackets
  int fields_ = 0;        // open expressions in texts
  std::string unclosed_;  // quotes without an end: further ones would take O(n^2)
  char last_ = '\n';      // of the code
};

}  // namespace

std::string without_comments(std::string_view path, std::string_view text) {
  return CodeScan(path, text, false).code();
}

std::string without_texts(std::string_view path, std::string_view text) {
  return CodeScan(path, text, true).code();
}

}  // namespace pedro
