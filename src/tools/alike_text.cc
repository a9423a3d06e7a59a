#include "tools/alike_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFileLines = 50'000;
constexpr std::size_t kMaxWantedLines = 100;
constexpr std::size_t kMaxComparedLines = 10'000;  // edit distance is slow

struct TrimmedLine {
  std::string_view text;
  std::uint64_t hash = 0;
};

TrimmedLine trimmed(std::string_view line) {
  const std::string_view text = trim(line);
  return {text, hash_bytes(text)};
}

// Removes blank lines at both ends.
std::vector<TrimmedLine> wanted_lines(std::string_view wanted) {
  std::vector<TrimmedLine> lines;
  for (const std::string_view line : split_lines(trim(wanted))) {
    if (lines.size() == kMaxWantedLines) break;
    lines.push_back(trimmed(line));
  }
  return lines;
}

std::vector<TrimmedLine> file_lines(const LineTable& table) {
  std::vector<TrimmedLine> lines;
  lines.reserve(std::min(table.size(), kMaxFileLines));
  for (std::size_t n = 1; n <= table.size() && n <= kMaxFileLines; ++n) {
    lines.push_back(trimmed(table.line(n)));
  }
  return lines;
}

struct Window {
  std::size_t start = 0;  // index into the file's lines
  std::size_t bytes = 0;  // of matching lines
  std::size_t lines = 0;
};

Window best_window(const std::vector<TrimmedLine>& file, const std::vector<TrimmedLine>& wanted) {
  Window best;
  for (std::size_t start = 0; start < file.size(); ++start) {
    Window window{start, 0, 0};
    const std::size_t length = std::min(wanted.size(), file.size() - start);
    for (std::size_t i = 0; i < length; ++i) {
      if (file[start + i].hash != wanted[i].hash) continue;
      window.bytes += wanted[i].text.size();
      ++window.lines;
    }
    if (window.bytes > best.bytes) best = window;
  }
  return best;
}

double likeness(std::string_view a, std::string_view b) {
  const std::size_t longer = std::min<std::size_t>(64, std::max(a.size(), b.size()));
  return longer == 0 ? 0
                     : 1 - static_cast<double>(edit_distance(a, b)) / static_cast<double>(longer);
}

std::optional<ClosestText> around_longest_line(const std::vector<TrimmedLine>& file,
                                               const std::vector<TrimmedLine>& wanted) {
  const auto longest =
      std::max_element(wanted.begin(), wanted.end(),
                       [](const auto& a, const auto& b) { return a.text.size() < b.text.size(); });
  double best = 0.6;
  std::size_t best_line = file.size();
  for (std::size_t i = 0; i < file.size() && i < kMaxComparedLines; ++i) {
    const double alike = likeness(file[i].text, longest->text);
    if (alike < best || (alike == best && best_line < file.size())) continue;
    best = alike;
    best_line = i;
  }
  if (best_line == file.size()) return std::nullopt;
  const auto before = static_cast<std::size_t>(longest - wanted.begin());
  const std::size_t start = best_line - std::min(best_line, before);
  return ClosestText{{start + 1, std::min(start + wanted.size(), file.size())}, false};
}

// Replaces the characters of a range by an ASCII text.
struct AlikeRange {
  utf8proc_int32_t first = 0;
  utf8proc_int32_t last = 0;
  const char* plain = "";
};
constexpr AlikeRange kAlike[] = {
    {0x00A0, 0x00A0, " "},   {0x00AD, 0x00AD, ""},  {0x1680, 0x1680, " "}, {0x2000, 0x200A, " "},
    {0x200B, 0x200D, ""},    {0x2010, 0x2015, "-"}, {0x2018, 0x201B, "'"}, {0x201C, 0x201F, "\""},
    {0x2026, 0x2026, "..."}, {0x202F, 0x202F, " "}, {0x2032, 0x2032, "'"}, {0x2033, 0x2033, "\""},
    {0x205F, 0x2060, " "},   {0x2212, 0x2212, "-"}, {0x3000, 0x3000, " "}, {0xFEFF, 0xFEFF, ""},
    {0x00B4, 0x00B4, "'"},   {0x02BC, 0x02BC, "'"}};

// Full-width forms of ASCII.
constexpr utf8proc_int32_t kFirstWide = 0xFF01;
constexpr utf8proc_int32_t kLastWide = 0xFF5E;

// Returns the ASCII text that looks like a character; nullopt if there is none.
std::optional<std::string> plain_form(utf8proc_int32_t character) {
  for (const AlikeRange& range : kAlike) {
    if (character >= range.first && character <= range.last) return range.plain;
  }
  if (character < kFirstWide || character > kLastWide) return std::nullopt;
  return std::string(1, static_cast<char>(character - kFirstWide + '!'));
}

// A text in plain, decomposed letters, with the position of each byte in the original.
class PlainText {
 public:
  explicit PlainText(std::string_view text) {
    while (at_ < text.size()) {
      const std::size_t bytes = add(text.substr(at_));
      starts_.resize(bytes_.size(), at_);
      at_ += bytes;
      ends_.resize(bytes_.size(), at_);
    }
  }

  const std::string& bytes() const { return bytes_; }
  // Returns the original of the plain bytes from `begin` to `end`, which is not empty.
  Occurrence original(std::size_t begin, std::size_t end) const {
    return {starts_[begin], ends_[end - 1] - starts_[begin]};
  }
  // Returns true if a character of the original starts here, and is not a mark of the one before.
  bool is_boundary(std::size_t plain) const {
    const auto mark = std::lower_bound(marks_.begin(), marks_.end(), plain);
    if (mark != marks_.end() && *mark == plain) return false;
    return plain == 0 || plain >= bytes_.size() || starts_[plain] != starts_[plain - 1];
  }

 private:
  // Adds the first character, and returns its size in bytes. A "\r" before "\n" has no plain form.
  std::size_t add(std::string_view rest) {
    if (rest.starts_with("\r\n")) return 1;
    utf8proc_int32_t character = -1;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(rest.data());
    const utf8proc_ssize_t size =
        utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(rest.size()), &character);
    if (size <= 0 || character < 0x80) {
      bytes_ += rest.front();
      return 1;
    }
    add_character(character);
    return static_cast<std::size_t>(size);
  }

  void add_character(utf8proc_int32_t character) {
    if (const auto plain = plain_form(character)) {
      bytes_ += *plain;
      return;
    }
    std::array<utf8proc_int32_t, 32> parts{};
    int boundary = 0;
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(character, parts.data(), parts.size(),
                                static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE), &boundary);
    const bool fits = count > 0 && static_cast<std::size_t>(count) <= parts.size();
    if (!fits) parts[0] = character;
    if (utf8proc_get_property(parts[0])->combining_class != 0) marks_.push_back(bytes_.size());
    for (utf8proc_ssize_t i = 0; i < (fits ? count : 1); ++i) {
      std::array<utf8proc_uint8_t, 4> encoded{};
      const auto bytes = utf8proc_encode_char(parts[static_cast<std::size_t>(i)], encoded.data());
      bytes_.append(reinterpret_cast<const char*>(encoded.data()), static_cast<std::size_t>(bytes));
    }
  }

  std::string bytes_;
  std::vector<std::size_t> starts_;  // of the original character of each plain byte
  std::vector<std::size_t> ends_;
  std::vector<std::size_t> marks_;  // plain offsets of combining marks
  std::size_t at_ = 0;
};

// Splits "12\ttext" into its number and text. Returns 0 for other lines.
std::pair<long long, std::string_view> numbered(std::string_view line, std::string_view separator) {
  const std::size_t end_of_number = line.find(separator);
  if (end_of_number == line.npos) return {0, line};
  const std::string_view digits = trim(line.substr(0, end_of_number));
  long long number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end || number <= 0) return {0, line};
  return {number, line.substr(end_of_number + separator.size())};
}

}  // namespace

std::optional<ClosestText> closest_text(const LineTable& table, std::string_view wanted) {
  const std::vector<TrimmedLine> lines = wanted_lines(wanted);
  const std::vector<TrimmedLine> file = file_lines(table);
  if (lines.empty() || file.empty()) return std::nullopt;
  std::size_t wanted_bytes = 0;
  for (const TrimmedLine& line : lines) wanted_bytes += line.text.size();

  const Window window = best_window(file, lines);
  // Matches below a quarter are mostly braces and blank lines, which occur everywhere.
  if (window.bytes * 4 < wanted_bytes) return around_longest_line(file, lines);
  const std::size_t last = std::min(window.start + lines.size(), file.size());
  return ClosestText{{window.start + 1, last}, window.lines == lines.size()};
}

std::vector<Occurrence> find_alike(std::string_view text, std::string_view wanted) {
  const std::string bare = replace_all(wanted, "\r\n", "\n");
  const PlainText plain(text);
  const PlainText needle(bare);
  std::vector<Occurrence> found;
  if (needle.bytes().empty()) return found;
  std::size_t from = 0;
  for (;;) {
    const std::size_t at = plain.bytes().find(needle.bytes(), from);
    if (at == std::string::npos) return found;
    const std::size_t end = at + needle.bytes().size();
    from = at + 1;
    if (!plain.is_boundary(at) || !plain.is_boundary(end)) continue;
    found.push_back(plain.original(at, end));
    from = end;
  }
}

std::string plain_like(std::string_view text, std::string_view wanted, std::string_view found) {
  std::string out;
  while (!text.empty()) {
    utf8proc_int32_t character = -1;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto size = std::max<utf8proc_ssize_t>(
        1, utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &character));
    const std::string_view one = text.substr(0, static_cast<std::size_t>(size));
    const bool is_meant =
        character >= 0x80 && wanted.find(one) != wanted.npos && found.find(one) == found.npos;
    out += is_meant ? plain_form(character).value_or(std::string(one)) : std::string(one);
    text.remove_prefix(one.size());
  }
  return out;
}

std::optional<std::string> without_line_numbers(std::string_view text, std::string_view separator) {
  std::string out;
  long long last = 0;
  const std::vector<std::string_view> lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto [number, line] = numbered(lines[i], separator);
    if (number <= last) return std::nullopt;
    last = number;
    out += line;
    if (i + 1 < lines.size() || text.ends_with('\n')) out += '\n';
  }
  return last > 0 ? std::optional(out) : std::nullopt;
}

}  // namespace pedro
