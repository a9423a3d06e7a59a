#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// The fields of a skill's front matter as texts, by key. Members of a nested object have keys
/// such as "metadata.author"; elements of a list are joined by ", ". Deeper values are omitted.
using SkillFields = std::map<std::string, std::string, std::less<>>;

/// Parses YAML. Quotes plain values with a colon, which other parsers accept, if it is invalid
/// otherwise. Error (kConfig): "LINE: REASON", with lines from 1.
Result<SkillFields> read_skill_fields(std::string_view yaml);

}  // namespace pedro
