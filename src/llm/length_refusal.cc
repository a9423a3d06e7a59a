#include "llm/length_refusal.h"

#include <algorithm>
#include <string>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/text.h"
#include "llm/server_refusal.h"

namespace pedro {

extern const EmbeddedFile kLengthRefusals[];

namespace {

constexpr std::string_view kGap = " … ";
constexpr std::size_t kMaxGapBytes = 200;
constexpr std::size_t kMaxDigits = 10;

const Json& wordings() {
  static const Json file = parse_json(kLengthRefusals[0].bytes).value();
  return file;
}

bool has_word(std::string_view list, std::string_view text) {
  const Json& words = member(wordings(), list);
  return !text.empty() && std::find(words.begin(), words.end(), text) != words.end();
}

bool says_any(std::string_view list, std::string_view text, Overflow& sizes) {
  bool found = false;
  for (const Json& row : member(wordings(), list)) {
    found |= find_length_sentence(text, row.get_ref<const std::string&>(), sizes);
  }
  return found;
}

// Reads "131,072" at the start of `text`, which then follows it. Returns 0 without a number.
long long take_number(std::string_view& text) {
  long long number = 0;
  std::size_t digits = 0;
  std::size_t at = 0;
  for (; at < text.size() && digits < kMaxDigits; ++at) {
    const bool separates = text[at] == ',' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (separates && digits > 0) continue;
    if (!is_digit(text[at])) break;
    number = number * 10 + (text[at] - '0');
    ++digits;
  }
  text.remove_prefix(at);
  return number;
}

// Matches one part of a pattern, which has no gap, at the start of `text`.
bool match_here(std::string_view text, std::string_view part, Overflow& sizes, std::size_t& bytes) {
  const std::string_view whole = text;
  while (!part.empty()) {
    const std::size_t brace = std::min(part.find('{'), part.size());
    if (!text.starts_with(part.substr(0, brace))) return false;
    text.remove_prefix(brace);
    part.remove_prefix(brace);
    if (part.empty()) break;
    const std::size_t end = std::min(part.find('}'), part.size() - 1);
    const std::string_view name = part.substr(1, end - 1);
    const std::size_t before = text.size();
    const long long number = take_number(text);
    if (text.size() == before) return false;
    if (name == "prompt") sizes.tokens = number;
    if (name == "window") sizes.window = number;
    part.remove_prefix(end + 1);
  }
  bytes = whole.size() - text.size();
  return true;
}

// Finds the parts of a pattern one after the other. The first one starts at `text`.
bool match_parts(std::string_view text, std::string_view pattern, Overflow& sizes) {
  for (bool first = true;; first = false) {
    const std::size_t gap = pattern.find(kGap);
    const std::string_view part = pattern.substr(0, gap);
    const std::size_t last = first ? 0 : std::min(kMaxGapBytes, text.size());
    std::size_t bytes = 0;
    std::size_t at = 0;
    while (at <= last && !match_here(text.substr(at), part, sizes, bytes)) ++at;
    if (at > last) return false;
    if (gap == pattern.npos) return true;
    text.remove_prefix(at + bytes);
    pattern.remove_prefix(gap + kGap.size());
  }
}

}  // namespace

bool find_length_sentence(std::string_view text, std::string_view pattern, Overflow& sizes) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    Overflow found;
    if (!match_parts(text.substr(at), pattern, found)) continue;
    if (sizes.tokens == 0) sizes.tokens = found.tokens;
    if (sizes.window == 0) sizes.window = found.window;
    return true;
  }
  return false;
}

std::optional<Overflow> read_length_refusal(const ServerRefusal& refusal) {
  constexpr int kOtherStatuses[] = {401, 402, 404, 405, 501, 503, 529};
  Overflow sizes{refusal.prompt_tokens, refusal.context_tokens};
  const std::string text = to_lower(refusal.message);
  const bool has_code = has_word("codes", refusal.code) || has_word("codes", refusal.type);
  const bool excluded = std::find(std::begin(kOtherStatuses), std::end(kOtherStatuses),
                                  refusal.status) != std::end(kOtherStatuses);
  Overflow none;
  const bool is_other = excluded || says_any("other_causes", text, none);
  const bool is_sized = says_any("sizes", text, sizes);
  if (has_code || refusal.status == 413) return sizes;
  if (is_other || (!is_sized && !says_any("sentences", text, none))) return std::nullopt;
  return sizes;
}

}  // namespace pedro
