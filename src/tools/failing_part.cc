#include "tools/failing_part.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/run_noise.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFailureLineBytes = 400;
constexpr std::size_t kLinesBefore = 1;
constexpr std::size_t kLinesAfter = 4;  // the caret, the differing values
constexpr std::string_view kGap = "[...]\n";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Returns true if `word` ends in a file extension: "src/a.cc", "foo.py".
bool ends_in_extension(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || word.size() - dot > 9) return false;
  return dot + 1 < word.size() && is_letter(word[dot + 1]) && word[dot - 1] != '/';
}

// Reads at most nine digits.
long long leading_number(std::string_view text) {
  long long number = 0;
  for (std::size_t i = 0; i < text.size() && i < 9 && is_digit(text[i]); ++i) {
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

// Returns the last word before an opening quote, bracket or blank.
std::string_view last_word(std::string_view text) {
  const std::size_t start = text.find_last_of(" \t(\"'`");
  return start == text.npos ? text : text.substr(start + 1);
}

}  // namespace

std::optional<OutputPlace> first_place(std::string_view line) {
  constexpr std::string_view kPython = "\", line ";
  if (const std::size_t at = line.find(kPython); at != line.npos) {
    return OutputPlace{last_word(line.substr(0, at)),
                       leading_number(line.substr(at + kPython.size()))};
  }
  for (std::size_t at = 1; at + 1 < line.size(); ++at) {
    if ((line[at] != ':' && line[at] != '(') || !is_digit(line[at + 1])) continue;
    const std::string_view path = last_word(line.substr(0, at));
    if (ends_in_extension(path)) return OutputPlace{path, leading_number(line.substr(at + 1))};
  }
  return std::nullopt;
}

bool tells_failure(std::string_view line) {
  static constexpr std::string_view kWords[] = {"error",
                                                "fail",
                                                "fatal",
                                                "panic",
                                                "assert",
                                                "exception",
                                                "traceback",
                                                "undefined",
                                                "unresolved",
                                                "expected",
                                                "abort",
                                                "segfault",
                                                "segmentation fault",
                                                "core dumped",
                                                "not ok",
                                                "cannot ",
                                                "no such ",
                                                "mismatch",
                                                "***",
                                                "✗",
                                                "✕",
                                                "\xC3\x97 ",
                                                "sanitizer",
                                                "sigsegv",
                                                "terminate called"};
  static constexpr std::string_view kHarmless[] = {"0 failed",  "0 failures", "0 errors",
                                                   "no errors", "warning:",   "-werror"};
  if (line.starts_with("E   ")) return true;  // pytest
  const std::string lower = to_lower(line);
  const auto in_line = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (std::any_of(std::begin(kHarmless), std::end(kHarmless), in_line) && !in_line("error:")) {
    return false;
  }
  return std::any_of(std::begin(kWords), std::end(kWords), in_line);
}

namespace {

int rank_of(std::string_view line) {
  const bool place = first_place(line).has_value();
  if (tells_failure(line)) return place ? 3 : 2;
  return place && line.find("warning:") == std::string_view::npos ? 1 : 0;
}

/// Chooses lines within a limit of bytes.
class Selection {
 public:
  Selection(const std::vector<std::string>& lines, std::size_t budget)
      : lines_(lines), chosen_(lines.size(), false), left_(budget) {}

  /// Adds the missing lines of [first, last]. Returns false if they do not fit.
  bool add(std::size_t first, std::size_t last, std::size_t keep_free) {
    std::size_t bytes = kGap.size();
    for (std::size_t i = first; i <= last; ++i) bytes += chosen_[i] ? 0 : lines_[i].size() + 1;
    if (bytes + keep_free > left_) return false;
    left_ -= bytes;
    std::fill(chosen_.begin() + static_cast<std::ptrdiff_t>(first),
              chosen_.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
    return true;
  }

  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (chosen_[i]) {
        out.append(lines_[i]) += '\n';
      } else if (i == 0 || chosen_[i - 1]) {
        out += kGap;
      }
    }
    return out;
  }

 private:
  const std::vector<std::string>& lines_;
  std::vector<bool> chosen_;
  std::size_t left_;
};

void add_failures(const std::vector<std::string>& lines, std::size_t keep_free, Selection& out) {
  std::vector<int> ranks;
  ranks.reserve(lines.size());
  for (const std::string& line : lines) ranks.push_back(rank_of(line));
  for (int rank = 3; rank >= 1; --rank) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (ranks[i] != rank) continue;
      const std::size_t first = i < kLinesBefore ? 0 : i - kLinesBefore;
      const std::size_t last = std::min(i + kLinesAfter, lines.size() - 1);
      // The first failures matter most: if one does not fit, later ones are skipped.
      if (!out.add(first, last, keep_free) && !out.add(i, i, keep_free)) return;
    }
  }
}

void add_tail(const std::vector<std::string>& lines, Selection& out) {
  for (std::size_t i = lines.size(); i > 0; --i) {
    if (!out.add(i - 1, i - 1, 0)) return;
  }
}

std::vector<std::string> readable_lines(std::string_view output) {
  std::vector<std::string> lines;
  for (const std::string_view raw : split_lines(output)) {
    std::string line = without_run_noise(truncate_utf8(raw, 4 * kMaxFailureLineBytes));
    if (line.size() > kMaxFailureLineBytes) {
      line = std::string(truncate_utf8(line, kMaxFailureLineBytes - 5)) + "[...]";
    }
    if (line.empty() && (lines.empty() || lines.back().empty())) continue;
    lines.push_back(std::move(line));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

std::string failing_part(std::string_view output, std::size_t max_bytes) {
  const std::vector<std::string> lines = readable_lines(output);
  std::string whole = join(lines, "\n");
  if (whole.size() <= max_bytes) return whole;
  Selection selection(lines, max_bytes);
  add_failures(lines, max_bytes / 4, selection);
  add_tail(lines, selection);
  std::string text = selection.text();
  if (text.ends_with('\n')) text.pop_back();
  return std::string(truncate_utf8(text, max_bytes));
}

}  // namespace pedro
