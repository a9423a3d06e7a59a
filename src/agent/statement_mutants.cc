#include "agent/statement_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "agent/line_tokens.h"
#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

std::string_view first_word(std::string_view text) {
  const std::string_view bare = trim(text);
  const auto end = std::find_if_not(bare.begin(), bare.end(), is_word_byte);
  return bare.substr(0, static_cast<std::size_t>(end - bare.begin()));
}

// Returns true for a whole statement that neither opens nor closes a block.
bool is_simple(std::string_view line) {
  constexpr std::string_view kBlocks =
      "|if|else|elif|for|while|do|switch|case|default|try|except|catch|finally|with|def|class|func"
      "|function|fn|loop|match|struct|then|fi|done|esac|";
  const std::string_view text = trim(line);
  if (text.empty() || text.starts_with('#') || text.starts_with("//")) return false;
  if (is_listed(kBlocks, first_word(text)) || text.find_first_of("{}@") != text.npos) return false;
  std::ptrdiff_t open = 0;
  for (const char c : text) open += std::string_view("([").find(c) != std::string_view::npos;
  for (const char c : text) open -= std::string_view(")]").find(c) != std::string_view::npos;
  return open == 0 && std::string_view(":,\\([+-*/=&|").find(text.back()) == std::string_view::npos;
}

bool continues_block(std::string_view line) {
  return is_listed("|else|elif|except|catch|finally|", first_word(line));
}

// Returns true for the value of a counter or list before it is used.
bool is_initial(std::string_view value) {
  constexpr std::string_view kValues = "|0|1|-1|0.0|''|\"\"|[]|{}|None|null|nil|false|False|";
  return is_listed(kValues, value);
}

// Returns the variable that a statement counts or collects: "run" of `run += 1`, or "".
std::string_view counted_by(std::string_view line) {
  const std::string_view text = trim(line);
  std::string_view name = text.substr(0, text.find_first_of(" .+-["));
  if (name.empty()) {  // "++run"
    name = text.substr(std::min<std::size_t>(text.find_first_not_of("+-"), text.size()));
    name = name.substr(0, name.find_first_of(" ;"));
  }
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_word_byte)) return {};
  const std::size_t at = static_cast<std::size_t>(name.data() - text.data());
  const std::string_view after = trim(text.substr(at + name.size()));
  for (const std::string_view change : {"+=", "-=", "++", "--", ".append(", ".push("}) {
    if (after.starts_with(change)) return name;
  }
  const bool is_sum = after.starts_with('=') && has_whole_words(after.substr(1), name);
  return is_sum || at > 0 ? name : std::string_view();
}

/// The statements of one function, by their lines.
class Statements {
 public:
  Statements(std::vector<std::string_view> lines, std::size_t at)
      : lines_(std::move(lines)), at_(at), line_(lines_[at]) {
    has_braces_ = std::any_of(lines_.begin(), lines_.end(),
                              [](auto line) { return trim(line).ends_with('{'); });
  }

  std::vector<Mutant> run() {
    if (!is_simple(line_)) return {};
    move_out();
    if (!has_braces_) move_in();
    set_back();
    move_down();
    return std::move(found_);
  }

 private:
  void put(MutantKind kind, std::string line, std::size_t more_lines = 0) {
    const std::size_t rank = first_word(line_) == "return" ? 0 : 1;
    found_.push_back({std::move(line), kind, rank, 0, more_lines});
  }

  static std::string indented(std::string_view as, std::string_view text) {
    return std::string(as.substr(0, indent_of(as))) + std::string(trim(text));
  }

  std::size_t neighbour(int step) const {  // a line with text; lines_.size() if there is none
    std::size_t i = at_ + static_cast<std::size_t>(step);
    while (i < lines_.size() && trim(lines_[i]).empty()) i += static_cast<std::size_t>(step);
    return std::min(i, lines_.size());
  }

  // Returns the line that opens the block of the statement; lines_.size() if it is the function's.
  std::size_t head() const {
    for (std::size_t i = at_; i-- > 1;) {
      const bool is_outside = !trim(lines_[i]).empty() && indent_of(lines_[i]) < indent_of(line_);
      if (is_outside) return trim(lines_[i]).find_first_of(":{") == line_.npos ? lines_.size() : i;
    }
    return lines_.size();
  }

  bool ends_block() const {
    const std::size_t next = neighbour(1);
    if (has_braces_) return next == at_ + 1 && next < lines_.size() && trim(lines_[next]) == "}";
    return next == lines_.size() ||
           (indent_of(lines_[next]) < indent_of(line_) && !continues_block(lines_[next]));
  }

  // Moves the last statement of a block to the place after it.
  void move_out() {
    const std::size_t head = this->head();
    if (head == lines_.size() || !ends_block() || neighbour(-1) == head) return;
    if (has_braces_) {
      put(MutantKind::kPlace, std::string(lines_[at_ + 1]) + "\n" + indented(lines_[head], line_),
          1);
    } else {
      put(MutantKind::kPlace, indented(lines_[head], line_));
    }
  }

  // Moves the statement after a block into it.
  void move_in() {
    const std::size_t before = neighbour(-1);
    if (before >= at_ || indent_of(lines_[before]) <= indent_of(line_)) return;
    put(MutantKind::kPlace, indented(lines_[before], line_));
  }

  void set_back() {
    const std::string_view name = counted_by(line_);
    const std::size_t head = this->head();
    if (name.empty() || head == lines_.size() || !ends_block()) return;
    if (first_word(lines_[head]) != "if") return;
    const std::string value = initial_value(name, head);
    if (value.empty()) return;
    const std::string_view end = line_.ends_with(';') ? ";" : "";
    const std::string other = fmt::format("{} = {}{}", name, value, end);
    put(MutantKind::kReset,
        fmt::format("{}\n{}\n{}", line_, indented(lines_[head], has_braces_ ? "} else {" : "else:"),
                    indented(line_, other)));
  }

  // Returns the literal that a line before `end` assigns to a variable, or "".
  std::string initial_value(std::string_view name, std::size_t end) const {
    for (std::size_t i = end; i-- > 0;) {
      const std::string_view text = trim(lines_[i]);
      const std::size_t equal = text.find('=');
      if (equal == text.npos || !has_whole_words(text.substr(0, equal), name)) continue;
      std::string_view value = trim(text.substr(equal + 1));
      if (value.ends_with(';')) value = trim(value.substr(0, value.size() - 1));
      if (is_initial(value)) return std::string(value);
    }
    return "";
  }

  // Exchanges the statement with the next one.
  void move_down() {
    const std::size_t next = at_ + 1;
    if (next >= lines_.size() || !is_simple(lines_[next])) return;
    const bool ends = is_listed("|return|break|continue|raise|throw|yield|", first_word(line_)) ||
                      is_listed("|return|break|continue|raise|throw|", first_word(lines_[next]));
    if (ends || indent_of(lines_[next]) != indent_of(line_)) return;
    put(MutantKind::kOrder, std::string(lines_[next]) + "\n" + std::string(line_), 1);
  }

  std::vector<std::string_view> lines_;
  std::size_t at_;
  std::string_view line_;
  bool has_braces_ = false;
  std::vector<Mutant> found_;
};

}  // namespace

std::vector<Mutant> statement_mutants(std::string_view line, std::string_view function) {
  std::vector<std::string_view> lines = split_lines(function);
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [line](auto other) { return other.data() == line.data(); });
  if (found == lines.end()) return {};
  const auto at = static_cast<std::size_t>(found - lines.begin());
  return Statements(std::move(lines), at).run();
}

}  // namespace pedro
