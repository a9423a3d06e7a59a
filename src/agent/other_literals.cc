#include "agent/other_literals.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kCalls =
    "|assert(|assertEquals(|assertEqual(|is(|is_deeply(|cmp_ok(|ok("
    "|CHECK(|EXPECT(|REQUIRE(|check(|expect(|";
constexpr std::string_view kCallEnds = "|_EQ(|_STREQ(|_EQUAL(|_eq(|_equal(|Equals(|";
constexpr std::string_view kComparisons = "|==|strcmp|is(|is_deeply|EQ(|EQUAL|eq(|equal|Equal|";
constexpr std::string_view kShellComparisons = "| = | == | -eq |";
constexpr std::string_view kShellChecks = "|check|assert|expect|is |is_|eq |equal|t |test_";

bool is_assertion(std::string_view line, bool is_shell) {
  const auto contains = [line](auto word) { return line.find(word) != line.npos; };
  const auto starts = [line](auto word) { return line.starts_with(word); };
  if (is_shell) {
    return contains("$(") && line.find("()") == line.npos &&
           (any_listed(kShellComparisons, contains) || any_listed(kShellChecks, starts));
  }
  if (line.starts_with('#')) return false;
  const std::string_view head = line.substr(0, line.find('(') + 1);
  const std::string_view call = head.substr(head.find_last_of(" .>:\t") + 1);
  const bool is_call = is_listed(kCalls, call) ||
                       any_listed(kCallEnds, [call](auto end) { return call.ends_with(end); });
  return is_call && any_listed(kComparisons, contains);
}

/// Changes the literals of one line.
class LiteralLine {
 public:
  LiteralLine(std::string_view line, bool has_chars) : line_(line), has_chars_(has_chars) {}

  std::string changed() && {
    for (; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      const bool is_quote = c == '"' || (c == '\'' && !has_chars_);
      if (is_quote && at_ >= plain_end_) {
        add_string(c);
      } else if (is_digit(c) && is_number()) {
        add_number();
      } else {
        text_ += c;
      }
    }
    return std::move(text_);
  }

 private:
  // Returns true for the first digit of a decimal number, not of a name or a redirection.
  bool is_number() const {
    const std::string_view kBefore = "$.&_<>";
    const char before = at_ > 0 ? line_[at_ - 1] : ' ';
    const std::size_t end = std::min(line_.find_first_not_of("0123456789", at_), line_.size());
    const char after = end < line_.size() ? line_[end] : ' ';
    return !is_word_byte(before) && kBefore.find(before) == kBefore.npos && !is_word_byte(after) &&
           after != '>' && end - at_ < 10;
  }

  // Returns 1, 3, 7, 13: no sum or difference of such amounts is the next one.
  long long next_amount() {
    const long long amount = count_ * count_ + count_ + 1;
    ++count_;
    return amount;
  }

  void add_number() {
    long long number = 0;
    for (; at_ < line_.size() && is_digit(line_[at_]); ++at_) {
      number = number * 10 + (line_[at_] - '0');
    }
    --at_;
    text_ += std::to_string(number + next_amount());
  }

  // Of a shell string with a command, only the numbers change.
  void add_string(char quote) {
    std::size_t end = at_ + 1;
    while (end < line_.size() && line_[end] != quote) end += line_[end] == '\\' ? 2 : 1;
    if (end >= line_.size()) {
      text_ += quote;
      return;
    }
    const std::string_view inside = line_.substr(at_ + 1, end - at_ - 1);
    if (inside.find("$(") != inside.npos) {
      text_ += quote;
      plain_end_ = end + 1;
      return;
    }
    text_ += line_.substr(at_, end - at_);
    text_ += "~" + std::to_string(next_amount()) + quote;
    at_ = end;
  }

  std::string_view line_;
  bool has_chars_;
  std::size_t at_ = 0;
  std::size_t plain_end_ = 0;  // quotes before it are ordinary bytes
  long long count_ = 0;
  std::string text_;
};

}  // namespace

std::map<std::string, std::string> other_literals(const std::map<std::string, std::string>& texts) {
  std::map<std::string, std::string> changed;
  for (const auto& [path, text] : texts) {
    const bool is_perl = path.ends_with(".t") && text.find("Test::") != text.npos;
    const bool is_shell = language_of(path) == Language::kUnknown && !is_perl &&
                          !path.ends_with(".pl") && !path.ends_with(".rb") &&
                          !path.ends_with(".php");
    std::vector<std::string> lines;
    for (const std::string_view line : split_lines(text)) {
      const bool is_changed = is_assertion(trim(line), is_shell);
      lines.push_back(is_changed
                          ? LiteralLine(line, language_of(path) != Language::kUnknown).changed()
                          : std::string(line));
    }
    std::string other = join(lines, "\n") + "\n";
    if (other != text && other != text + "\n") changed[path] = std::move(other);
  }
  return changed;
}

}  // namespace pedro
