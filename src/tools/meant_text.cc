#include "tools/meant_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "tools/alike_text.h"

namespace pedro {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kSeparators[] = {"\t", ": ", ":", " | ", "|", "\\t"};
constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};

// Replaces escapes of JSON for blanks, quotes and backslashes.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kEscaped = "nt\"\\";
  constexpr std::string_view kPlain = "\n\t\"\\";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t kind = text[i] == '\\' && i + 1 < text.size() ? kEscaped.find(text[i + 1])
                                                                    : std::string_view::npos;
    if (kind == std::string_view::npos) {
      out += text[i];
    } else {
      out += kPlain[kind];
      ++i;
    }
  }
  return out;
}

std::string without_entities(std::string_view text) {
  std::string out(text);
  for (const auto& [entity, plain] : kEntities) out = replace_all(out, entity, plain);
  return out;
}

bool is_markdown(std::string_view path) {
  return path.ends_with(".md") || path.ends_with(".mdx") || path.ends_with(".markdown") ||
         path.ends_with(".rst");
}

// Returns the text inside of the only code block, which must be the whole content.
std::optional<std::string> without_fence(std::string_view content) {
  const std::string_view whole = trim(content);
  const std::size_t first_end = whole.find('\n');
  if (!whole.starts_with(kFence) || first_end == whole.npos) return std::nullopt;
  const bool is_language =
      whole.substr(0, first_end).find_first_of(" `", kFence.size()) == std::string_view::npos;
  std::string_view inner = whole.substr(first_end + 1);
  const std::size_t fence = inner.find(kFence);
  const bool ends = fence != inner.npos && fence + kFence.size() == inner.size();
  const bool begins_line = fence == 0 || (ends && inner[fence - 1] == '\n');
  if (!is_language || !ends || !begins_line) return std::nullopt;
  return std::string(inner.substr(0, fence));
}

bool counts_from(std::string_view content, std::size_t first_line) {
  std::size_t line = first_line;
  for (const std::string_view text : split_lines(content)) {
    const std::string_view number = trim(text.substr(0, text.find('\t')));
    if (number != std::to_string(line++)) return false;
  }
  return true;
}

}  // namespace

MeantText meant_content(std::string_view content, std::string_view before, std::size_t first_line,
                        std::string_view path) {
  const bool had_numbers = before.empty() || without_line_numbers(before).has_value();
  const auto bare = without_line_numbers(content);
  if (bare && !had_numbers && counts_from(content, first_line)) {
    return {*bare, "without the line numbers"};
  }
  const auto inner = without_fence(content);
  if (inner && !is_markdown(path) && before.find(kFence) == before.npos) {
    return {*inner, "without the fence of a code block"};
  }
  const bool has_lines = content.find('\n') != content.npos;
  const bool had_lines = std::count(before.begin(), before.end(), '\n') > 1;
  if (!has_lines && had_lines && content.ends_with("\\n")) {
    return {unescaped(content), "line ends in place of their escapes"};
  }
  return {std::string(content), ""};
}

std::vector<OtherForm> other_forms(std::string_view old_text, std::string_view new_text) {
  std::vector<OtherForm> forms;
  for (const std::string_view separator : kSeparators) {
    const auto bare = without_line_numbers(old_text, separator);
    if (!bare || trim(*bare).empty()) continue;
    forms.push_back({*bare,
                     without_line_numbers(new_text, separator).value_or(std::string(new_text)),
                     "without the line numbers"});
  }
  if (old_text.find('\n') == old_text.npos && old_text.find("\\n") != old_text.npos) {
    forms.push_back(
        {unescaped(old_text), unescaped(new_text), "line ends in place of their escapes"});
  }
  if (std::string plain = without_entities(old_text); plain != old_text) {
    forms.push_back({std::move(plain), without_entities(new_text), "without entities"});
  }
  return forms;
}

}  // namespace pedro
