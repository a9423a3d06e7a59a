#include "secrets/env_file.h"

#include <algorithm>

#include "base/text.h"
#include "secrets/secret_patterns.h"

namespace pedro {
namespace {

struct EnvValue {
  std::string_view text;
  std::size_t used = 0;  // bytes, quotes included
};

// `text` begins after the '='. A quoted value may have several lines. An unquoted value ends at the
// end of the line or at a comment, which begins after a blank.
EnvValue env_value(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  const char quote = begin < text.size() ? text[begin] : '\0';
  if (quote == '"' || quote == '\'' || quote == '`') {
    for (std::size_t at = begin + 1; at < text.size(); ++at) {
      if (text[at] == '\\' && quote == '"') {
        ++at;
      } else if (text[at] == quote) {
        return {text.substr(begin + 1, at - begin - 1), at + 1};
      }
    }
  }
  std::string_view line = text.substr(0, text.find('\n'));
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '#' && (line[at - 1] == ' ' || line[at - 1] == '\t')) line = line.substr(0, at);
  }
  return {trim(line), line.size()};
}

void add_value(std::vector<NamedValue>& values, const std::string& name, std::string_view text) {
  values.push_back({name, std::string(text)});
  for (const std::string_view line : split_lines(text)) {
    if (line.size() < text.size() && !line.starts_with("-----")) {
      values.push_back({name, std::string(trim(line))});
    }
  }
}

bool is_base64(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/' ||
         c == '=';
}

}  // namespace

std::vector<NamedValue> read_env_file(std::string_view text) {
  std::vector<NamedValue> values;
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    const std::size_t equals = line.find('=');
    std::string_view name = trim(line.substr(0, equals));
    std::size_t used = std::min(line_end + 1, text.size());
    if (!name.starts_with('#') && equals != std::string_view::npos) {
      if (name.starts_with("export ")) name = trim(name.substr(7));
      const EnvValue value = env_value(text.substr(equals + 1));
      add_value(values, std::string(name), value.text);
      used = std::max(used, equals + 1 + value.used);
    }
    text.remove_prefix(std::min(used, text.size()));
  }
  return values;
}

std::vector<NamedValue> read_credential_file(std::string_view text) {
  std::vector<NamedValue> values;
  for (const std::string_view line : split_lines(std::string_view(text))) {
    if (trim(line).starts_with('#') || trim(line).starts_with(';')) continue;
    std::string_view name;
    for (std::size_t at = 0; at < line.size();) {
      constexpr std::string_view kBetween = " \t\r=\"',";
      const std::size_t begin = line.find_first_not_of(kBetween, at);
      if (begin == line.npos) break;
      // A secret may contain '='.
      at = std::min(line.find_first_of(name.empty() ? " \t\r=" : " \t\r\"',", begin), line.size());
      const std::string_view word = line.substr(begin, at - begin);
      if (!name.empty()) values.push_back({std::string(name), std::string(word)});
      std::string_view key =
          word.substr(word.rfind(':') + 1);  // "//registry.npmjs.org/:_authToken"
      if (word.ends_with(':')) key = word.substr(0, word.size() - 1);
      while (key.ends_with('"') || key.ends_with(':')) key.remove_suffix(1);
      name = name.empty() && (key == "_auth" || key == "auth" || is_secret_name(key)) ? key : "";
    }
  }
  return values;
}

std::vector<std::string_view> private_key_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  bool in_key = false;
  for (const std::string_view whole : split_lines(std::string_view(text))) {
    const std::string_view line = trim(whole);
    if (line.starts_with("-----")) {
      in_key = line.starts_with("-----BEGIN ") && line.find("PRIVATE KEY") != line.npos;
    } else if (in_key && !line.empty() && std::all_of(line.begin(), line.end(), is_base64)) {
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace pedro
