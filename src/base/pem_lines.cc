#include "base/pem_lines.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kEnd = "-----END ";
constexpr std::size_t kMaxLabelBytes = 100;
// RSA keys of 16,384 bits have 13 KB.
constexpr std::size_t kMaxKeyBytes = 16u << 10;
constexpr std::size_t kMaxLineBytes = 256;
constexpr std::size_t kMinBodyBytes = 16;

bool is_base64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '+' || c == '/' ||
         c == '=';
}

// "-----BEGIN RSA PRIVATE KEY-----" of `text`, where that begins with `word`; else "".
std::string_view label_at(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return {};
  std::string_view line = text.substr(0, word.size() + kMaxLabelBytes);
  line = line.substr(0, line.find('\n'));
  const std::size_t name = line.find("PRIVATE KEY", word.size());
  if (name == line.npos) return {};
  const std::size_t dashes = line.find("-----", name);
  return dashes == line.npos ? line : line.substr(0, dashes + 5);
}

bool is_header(std::string_view line) {
  for (const char* name : {"Proc-Type:", "DEK-Info:", "Comment:", "Version:"}) {
    if (line.find(name) != line.npos) return true;
  }
  return false;
}

// One word of base64, perhaps with a number in front, and beside a long one what quotes and escapes
// put there.
bool is_key_line(std::string_view line) {
  if (line.size() > kMaxLineBytes) return false;
  std::size_t words = 0;
  std::size_t longest = 0;
  bool numbered = false;
  for (std::size_t at = 0; at < line.size();) {
    if (!is_base64(line[at])) {
      if (std::string_view(" \t\r|:\"'>-,;\\").find(line[at]) == std::string_view::npos)
        return false;
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && is_base64(line[at])) ++at;
    const std::string_view word = line.substr(begin, at - begin);
    longest = std::max(longest, word.size());
    if (words == 0) numbered = std::all_of(word.begin(), word.end(), is_digit);
    ++words;
  }
  return words == 1 || (words == 2 && numbered) ||
         (words > 1 && words <= 3 && longest >= kMinBodyBytes);
}

std::size_t end_without_label(std::string_view text, std::size_t at) {
  std::size_t end = std::min(text.find('\n', at), text.size());
  bool in_body = false;
  for (std::size_t next = end; next < text.size() && next - at < kMaxKeyBytes;) {
    const std::size_t line_end = std::min(text.find('\n', next + 1), text.size());
    const std::string_view line = text.substr(next + 1, line_end - next - 1);
    const bool is_key = is_key_line(line);
    if (!is_key && (in_body || !(trim(line).empty() || is_header(line)))) break;
    in_body = in_body || is_key;
    if (!trim(line).empty()) end = line_end;
    next = line_end;
  }
  return end;
}

std::size_t begin_without_label(std::string_view text, std::size_t at, std::size_t from) {
  // What stands in front of the label in its line is no line of its own.
  const std::size_t newline = text.substr(from, at - from).rfind('\n');
  if (newline == text.npos) return at;
  std::size_t line_begin = from + newline + 1;
  std::size_t begin = at;
  while (line_begin > from && at - line_begin < kMaxKeyBytes) {
    const std::size_t before = text.substr(from, line_begin - 1 - from).rfind('\n');
    const std::size_t previous = before == text.npos ? from : from + before + 1;
    if (!is_key_line(text.substr(previous, line_begin - 1 - previous))) break;
    begin = line_begin = previous;
  }
  return begin;
}

}  // namespace

std::optional<TextRange> private_key_at(std::string_view text, std::size_t at, std::size_t from) {
  const std::string_view rest = text.substr(at);
  if (const std::string_view label = label_at(rest, kEnd); !label.empty()) {
    return TextRange{begin_without_label(text, at, from), at + label.size()};
  }
  const std::string_view label = label_at(rest, kBegin);
  if (label.empty()) return {};
  // No key has a '[': what is marked with it, as where others' texts end, is ours.
  std::string_view near = rest.substr(0, kMaxKeyBytes);
  near = near.substr(0, near.find('[', label.size()));
  const std::size_t end = near.find(kEnd, label.size());
  if (end == near.npos) return TextRange{at, end_without_label(text, at)};
  const std::string_view last = rest.substr(end, kEnd.size() + kMaxLabelBytes);
  const std::string_view line = last.substr(0, last.find('\n'));
  const std::size_t dashes = line.find("-----", kEnd.size());
  return TextRange{at, at + end + (dashes == line.npos ? line.size() : dashes + 5)};
}

std::vector<std::string_view> private_key_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  bool in_key = false;
  for (const std::string_view whole : split_lines(std::string_view(text))) {
    const std::string_view line = trim(whole);
    if (line.starts_with("-----")) {
      in_key = !label_at(line, kBegin).empty();
    } else if (in_key && std::all_of(line.begin(), line.end(), is_base64) && !line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace pedro
