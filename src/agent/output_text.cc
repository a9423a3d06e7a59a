#include "agent/output_text.h"

#include <fmt/format.h>

#include <vector>

#include "agent/places.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kShortBytes = 100;

std::string plain(const Json& value) {
  return value.is_string() ? std::string(trim(value.get<std::string>())) : to_line(value);
}

bool is_short(const Json& value) {
  if (value.is_structured()) return false;
  const std::string text = plain(value);
  return text.size() <= kShortBytes && text.find('\n') == std::string::npos;
}

// Formats an entry of a list. An object's place precedes its other members.
std::string entry_text(const Json& value) {
  if (!value.is_object()) return plain(value);
  std::string text;
  if (member(value, "file").is_string()) {
    text = to_string(NamedPlace{text_of(value, "file"), number_of(value, "line")}) + ": ";
  }
  std::vector<std::string> rest;
  for (const auto& [name, inner] : value.items()) {
    if (name == "file" || name == "line") continue;
    rest.push_back(value.size() > 3 ? fmt::format("{}: {}", name, plain(inner)) : plain(inner));
  }
  return text + join(rest, value.size() > 3 ? "; " : " - ");
}

std::string section(const Json& value) {
  if (!value.is_array()) return plain(value) + "\n";
  std::string text;
  for (const Json& one : value) text += fmt::format("- {}\n", entry_text(one));
  return text.empty() ? "(none)\n" : text;
}

}  // namespace

std::string output_text(const Json& output) {
  if (!output.is_object()) return section(output);
  std::string head;
  std::string sections;
  for (const auto& [name, value] : output.items()) {
    const std::string title = replace_all(name, "_", " ");
    if (is_short(value)) {
      head += fmt::format("{}: {}\n", title, plain(value));
    } else {
      sections += fmt::format("\n## {}\n\n{}", title, section(value));
    }
  }
  return head + sections;
}

}  // namespace pedro
