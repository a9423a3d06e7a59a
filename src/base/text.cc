#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::size_t kMaxComparedBytes = 64;

}  // namespace

std::string wrap_text(std::string_view paragraph, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t used = 0;  // of the last line
  for (const std::string_view word : split(paragraph, ' ')) {
    if (word.empty()) continue;
    if (used > 0 && used + 1 + word.size() > columns) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out += separator;
    out += pieces[i];
  }
  return out;
}

void add_once(std::vector<std::string>& texts, std::string_view text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.emplace_back(text);
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  assert(!from.empty());
  std::string out;
  for (;;) {
    const std::size_t at = text.find(from);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(at + from.size());
  }
}

std::string quoted_for_shell(std::string_view text) {
  return "'" + replace_all(text, "'", "'\\''") + "'";
}

std::string as_shell_line(const std::vector<std::string>& argv) {
  const auto is_plain = [](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || is_digit(c) || std::string_view("-_./:,=+@%").find(c) != std::string::npos;
  };
  std::vector<std::string> words;
  for (const std::string& word : argv) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), is_plain);
    words.push_back(plain ? word : quoted_for_shell(word));
  }
  return join(words, " ");
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool has_whole_words(std::string_view text, std::string_view words) {
  if (words.empty()) return false;
  const auto is_of_word = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const bool cut_before = at > 0 && is_of_word(text[at - 1]) && is_of_word(words.front());
    const bool cut_behind = end < text.size() && is_of_word(text[end]) && is_of_word(words.back());
    if (!cut_before && !cut_behind) return true;
  }
  return false;
}

std::size_t longest_run(std::string_view text, char c) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char next : text) {
    run = next == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kMaxComparedBytes);
  b = b.substr(0, kMaxComparedBytes);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kMaxComparedBytes) return "";  // not a name; its end would not be compared
  const std::string* best = nullptr;
  std::size_t best_distance = (word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? "" : fmt::format(" (did you mean '{}'?)", *best);
}

std::string cut_middle(std::string_view text, std::size_t max_bytes, std::string_view how) {
  if (text.size() <= max_bytes) return std::string(text);
  const auto note = [&](std::size_t lines, std::size_t bytes) {
    return fmt::format("[... {} lines, {} bytes left out{}{} ...]\n", lines, bytes,
                       how.empty() ? "" : "; ", how);
  };
  // The note for the whole text is the longest one. The extra byte is for a newline before it.
  const std::size_t most = note(text.size(), text.size()).size() + 1;
  const std::size_t half = max_bytes > most ? (max_bytes - most) / 2 : 0;
  std::string_view head = truncate_utf8(text, half);
  std::string_view tail = tail_utf8(text, half);
  // Prefers a newline near the cut.
  const std::size_t head_end = head.rfind('\n');
  if (head_end != std::string_view::npos && head_end > head.size() / 2) {
    head = head.substr(0, head_end + 1);
  }
  const std::size_t tail_begin = tail.find('\n');
  if (tail_begin != std::string_view::npos && tail_begin < tail.size() / 2) {
    tail = tail.substr(tail_begin + 1);
  }
  const std::string_view middle = text.substr(head.size(), text.size() - head.size() - tail.size());
  const auto lines = static_cast<std::size_t>(std::count(middle.begin(), middle.end(), '\n'));
  const bool whole_line = head.empty() || head.back() == '\n';
  return fmt::format("{}{}{}{}", head, whole_line ? "" : "\n", note(lines, middle.size()), tail);
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* hex = text.data() + i + 1;
    const bool coded = text[i] == '%' && i + 2 < text.size() &&
                       std::from_chars(hex, hex + 2, byte, 16).ptr == hex + 2;
    out += coded ? static_cast<char>(byte) : text[i];
    if (coded) i += 2;
  }
  return out;
}

std::string slug_of(std::string_view text, std::size_t max_bytes) {
  std::string slug;
  for (const char c : to_lower(text)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) slug += c;
    if (!plain && !slug.empty() && slug.back() != '-') slug += '-';
  }
  if (slug.size() > max_bytes) {
    const std::size_t word = slug.rfind('-', max_bytes);
    slug.resize(word == std::string::npos || word == 0 ? max_bytes : word);
  }
  while (slug.ends_with('-')) slug.pop_back();
  return slug;
}

}  // namespace pedro
