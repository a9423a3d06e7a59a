#include "agent/make_text.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxMakeBytes = 256 * 1024;
constexpr int kMaxNested = 8;  // of variables in variables
constexpr char kUnknownPart = '\x01';

using MakeValues = std::map<std::string, std::string, std::less<>>;

std::string without_quotes(std::string_view text) {
  return replace_all(replace_all(text, "\"", ""), "'", "");
}

// Reads lines "NAME = value", "NAME := value" and "NAME=value". The last value counts.
MakeValues values_in(std::string_view text) {
  MakeValues values;
  const std::string joined = replace_all(text, "\\\n", " ");
  for (const std::string_view whole : split_lines(joined)) {
    std::string_view line = trim(whole);
    for (const std::string_view word : {"export ", "override "}) {
      if (line.starts_with(word)) line = trim(line.substr(word.size()));
    }
    std::size_t end = 0;
    while (end < line.size() && is_word_byte(line[end])) ++end;
    const std::size_t equal = line.find('=', end);
    if (end == 0 || equal == line.npos) continue;
    const std::string_view between = trim(line.substr(end, equal - end));
    if (between.find_first_not_of(":?+!") != between.npos) continue;
    std::string value = without_quotes(trim(line.substr(equal + 1)));
    std::string& known = values[std::string(line.substr(0, end))];
    known = between == "+" ? known + " " + value : value;
  }
  return values;
}

// A reference to a variable or a call of a function, "$(...)", "${...}" or "$NAME".
struct MakeReference {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view inside;
};

MakeReference reference_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] == '$') ++end;  // "$$NAME" of a recipe
  if (end < text.size() && (text[end] == '(' || text[end] == '{')) {
    const std::size_t first = end + 1;
    int depth = 0;
    for (; end < text.size(); ++end) {
      depth += text[end] == '(' || text[end] == '{' ? 1 : 0;
      depth -= text[end] == ')' || text[end] == '}' ? 1 : 0;
      if (depth == 0) return {at, end + 1, text.substr(first, end - first)};
    }
    return {at, end, ""};
  }
  const std::size_t first = end;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return {at, end, text.substr(first, end - first)};
}

std::string replaced_once(std::string_view text, const MakeValues& values) {
  std::string result;
  for (std::size_t at = 0; at < text.size() && result.size() < kMaxMakeBytes;) {
    const std::size_t next = std::min(text.find('$', at), text.size());
    result += text.substr(at, next - at);
    if (next == text.size()) break;
    const MakeReference found = reference_at(text, next);
    const auto value = values.find(found.inside);
    // A reference inside another one is replaced in the next pass.
    const std::size_t end = value == values.end() ? next + 1 : found.end;
    result += value == values.end() ? std::string_view("$") : std::string_view(value->second);
    at = end;
  }
  return result;
}

// Returns the end of names that a function makes: ".d" for "OBJS:.o=.d".
std::string made_ending(std::string_view inside) {
  const std::size_t mark = inside.find_last_of("%=");
  const std::size_t dot = inside.find('.', mark == inside.npos ? 0 : mark);
  if (mark == inside.npos || dot == inside.npos) return "";
  std::size_t end = dot + 1;
  while (end < inside.size() && is_word_byte(inside[end])) ++end;
  return std::string(inside.substr(dot, end - dot));
}

// Returns names, with kUnknownPart in place of each value that the text does not show.
std::string with_expansions(std::string_view text, const MakeValues& values, int depth) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    const MakeReference found = reference_at(text, at);
    const auto value = values.find(found.inside);
    constexpr std::string_view kWildcard = "wildcard ";
    if (depth < kMaxNested && value != values.end() && result.size() < kMaxMakeBytes) {
      result += with_expansions(value->second, values, depth + 1);
    } else if (depth < kMaxNested && found.inside.starts_with(kWildcard)) {
      result += with_expansions(found.inside.substr(kWildcard.size()), values, depth + 1);
    } else {
      result += kUnknownPart + made_ending(found.inside);
    }
    at = std::max(found.end, at + 1);
  }
  return result;
}

}  // namespace

std::string with_values(std::string_view text) {
  const MakeValues values = values_in(text);
  std::string result(text.substr(0, kMaxMakeBytes));
  for (int pass = 0; pass < 3; ++pass) result = replaced_once(result, values);
  return result;
}

std::vector<std::string> included_patterns(std::string_view text) {
  const MakeValues values = values_in(text);
  const std::string joined = replace_all(text, "\\\n", " ");
  std::vector<std::string> patterns;
  for (const std::string_view whole : split_lines(joined)) {
    const std::string_view line = trim(whole);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    if (!is_listed("|include|-include|sinclude|.include|.-include|", line.substr(0, end))) continue;
    std::string names = with_expansions(line.substr(end), values, 0);
    std::replace(names.begin(), names.end(), '\t', ' ');
    for (const std::string_view piece : split(names, ' ')) {
      std::string name = without_quotes(piece);
      while (name.starts_with("./")) name.erase(0, 2);
      if (name.find_first_not_of(std::string("*?/.") + kUnknownPart) == name.npos) continue;
      const std::string unknown(1, kUnknownPart);
      add_once(patterns, replace_all(name, unknown, "*"));
      if (name.find(kUnknownPart) != name.npos) {
        add_once(patterns, "**/" + replace_all(name, unknown, "*"));
      }
    }
  }
  return patterns;
}

}  // namespace pedro
