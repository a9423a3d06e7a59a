#include "skills/skill_fields.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/text.h"

namespace pedro {
namespace {

std::string list_text(const YAML::Node& list) {
  std::string text;
  for (const YAML::Node& one : list) {
    if (one.IsScalar()) text += (text.empty() ? "" : ", ") + one.Scalar();
  }
  return text;
}

void add_field(SkillFields& fields, const std::string& key, const YAML::Node& value) {
  if (value.IsScalar()) fields.emplace(key, value.Scalar());
  if (value.IsNull()) fields.emplace(key, "");
  if (value.IsSequence()) fields.emplace(key, list_text(value));
}

// Reads scalars of two levels only, so aliases cannot multiply them.
SkillFields fields_of(const YAML::Node& document) {
  SkillFields fields;
  for (const auto& member : document) {
    if (!member.first.IsScalar()) continue;
    const std::string& key = member.first.Scalar();
    add_field(fields, key, member.second);
    if (!member.second.IsMap()) continue;
    for (const auto& nested : member.second) {
      if (nested.first.IsScalar())
        add_field(fields, key + "." + nested.first.Scalar(), nested.second);
    }
  }
  return fields;
}

Result<SkillFields> parse(const std::string& yaml) {
  try {
    const YAML::Node document = YAML::Load(yaml);
    if (document.IsMap()) return fields_of(document);
    return Error{ErrorKind::kConfig, "1: expected keys with values"};
  } catch (const YAML::Exception& problem) {
    return Error{ErrorKind::kConfig, fmt::format("{}: {}", problem.mark.line + 1, problem.msg)};
  }
}

// Quotes the values of keys at the start of a line that are plain texts with a colon.
std::string with_quoted_values(std::string_view yaml) {
  std::string quoted;
  for (const std::string_view line : split_lines(yaml)) {
    const std::size_t colon = line.find(": ");
    const std::string_view value =
        colon == line.npos ? std::string_view() : trim(line.substr(colon + 2));
    const bool plain =
        !value.empty() && std::string_view("\"'|>[{&*!#").find(value[0]) == value.npos;
    if (plain && !line.starts_with(' ') && value.find(':') != value.npos) {
      quoted += fmt::format("{}: '{}'\n", line.substr(0, colon), replace_all(value, "'", "''"));
    } else {
      quoted += std::string(line) + "\n";
    }
  }
  return quoted;
}

}  // namespace

Result<SkillFields> read_skill_fields(std::string_view yaml) {
  Result<SkillFields> fields = parse(std::string(yaml));
  if (fields) return fields;
  Result<SkillFields> mended = parse(with_quoted_values(yaml));
  return mended ? std::move(mended) : std::move(fields);
}

}  // namespace pedro
