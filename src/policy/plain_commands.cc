#include "policy/plain_commands.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace pedro::policy {
namespace {

// Words that begin or continue a compound command, or change the command after them.
constexpr std::string_view kReserved[] = {"!",    "case",   "coproc", "do",   "done",     "elif",
                                          "else", "esac",   "fi",     "for",  "function", "if",
                                          "in",   "select", "then",   "time", "until",    "while"};

// Characters with a meaning outside quotes that is not read here.
constexpr std::string_view kUnread = "$`(){}[]*?~#";

bool is_printable_ascii(char c) {
  return c > 0x20 && c < 0x7f;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Reads one line. Each step returns false if the line is not plain.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  std::optional<std::vector<CommandWords>> read() {
    while (at_ < line_.size()) {
      if (!step()) return std::nullopt;
    }
    if (!end_command()) return std::nullopt;
    return std::move(commands_);
  }

 private:
  enum class Target { kNone, kFile, kDescriptor };

  bool follows(char c) const { return at_ + 1 < line_.size() && line_[at_ + 1] == c; }

  bool step() {
    switch (const char c = line_[at_]) {
      case ' ':
      case '\t':
        ++at_;
        return end_word();
      case ';':
        return !follows(';') && end_command(1);
      case '\n':
        return end_command(1);
      case '|':
        return end_command(follows('|') ? 2 : 1);
      case '&':
        return follows('&') && end_command(2);
      case '<':
      case '>':
        return redirect(c);
      case '\\':
        return escape();
      case '\'':
        return single_quotes();
      case '"':
        return double_quotes();
      default:
        if (!is_printable_ascii(c) || kUnread.find(c) != std::string_view::npos) return false;
        add(c);
        ++at_;
        return true;
    }
  }

  void add(char c) {
    if (!word_) word_.emplace();
    *word_ += c;
  }

  void begin_quoted() {
    if (!word_) word_.emplace();
    quoted_ = true;
  }

  bool end_word() {
    if (!word_) return true;
    const Target target = std::exchange(target_, Target::kNone);
    const bool quoted = std::exchange(quoted_, false);
    std::string word = *std::exchange(word_, std::nullopt);
    if (target == Target::kDescriptor) return !quoted && (word == "-" || is_number(word));
    if (target == Target::kNone) command_.push_back(std::move(word));
    return ++word_count_ <= kMaxPlainWords;
  }

  bool end_command(std::size_t operator_bytes = 0) {
    if (!end_word() || target_ != Target::kNone) return false;
    at_ += operator_bytes;
    if (command_.empty()) return true;
    const std::string& name = command_.front();
    const bool assigns = name.find('=') != std::string::npos;
    if (assigns ||
        std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved))
      return false;
    commands_.push_back(std::exchange(command_, {}));
    return true;
  }

  bool redirect(char c) {
    // A number directly before it is the descriptor.
    if (word_ && !quoted_ && target_ == Target::kNone && is_number(*word_)) word_.reset();
    if (!end_word() || target_ != Target::kNone) return false;
    if (c == '<' && follows('<')) return false;
    ++at_;
    if (c == '>' && at_ < line_.size() && line_[at_] == '>') {
      ++at_;
      target_ = Target::kFile;
      return true;
    }
    const bool to_descriptor = at_ < line_.size() && line_[at_] == '&';
    target_ = to_descriptor ? Target::kDescriptor : Target::kFile;
    if (to_descriptor) ++at_;
    return true;
  }

  bool escape() {
    if (at_ + 1 >= line_.size()) return false;
    const char next = line_[at_ + 1];
    at_ += 2;
    if (next == '\n') return true;  // a continued line
    if (!is_printable_ascii(next) && next != ' ') return false;
    begin_quoted();
    add(next);
    return true;
  }

  bool single_quotes() {
    const std::size_t end = line_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return false;
    begin_quoted();
    *word_ += line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  bool double_quotes() {
    begin_quoted();
    for (++at_; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '$' || c == '`') return false;
      if (c == '\\' && (follows('\n'))) {
        ++at_;
        continue;
      }
      if (c == '\\' && (follows('$') || follows('`') || follows('"') || follows('\\'))) ++at_;
      add(line_[at_]);
    }
    return false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<CommandWords> commands_;
  CommandWords command_;
  std::optional<std::string> word_;  // the word that is being read
  bool quoted_ = false;              // a part of it
  Target target_ = Target::kNone;    // the kind of word that a redirection expects
  std::size_t word_count_ = 0;
};

}  // namespace

std::optional<std::vector<CommandWords>> plain_commands(std::string_view line) {
  const bool readable = line.size() <= kMaxPlainBytes && is_valid_utf8(line) &&
                        line.find('\0') == std::string_view::npos;
  return readable ? LineReader(line).read() : std::nullopt;
}

}  // namespace pedro::policy
