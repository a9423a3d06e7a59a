#include "skills/skill.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

// The fields of a skill's front matter as texts, by key. Members of a nested object have keys
// such as "metadata.author"; elements of a list are joined by ", ". Deeper values are omitted.
using SkillFields = std::map<std::string, std::string, std::less<>>;

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

// Parses YAML. Quotes plain values with a colon, which other parsers accept, if it is invalid
// otherwise. Error (kConfig): "LINE: REASON", with lines from 1.
Result<SkillFields> read_skill_fields(std::string_view yaml) {
  Result<SkillFields> fields = parse(std::string(yaml));
  if (fields) return fields;
  Result<SkillFields> mended = parse(with_quoted_values(yaml));
  return mended ? std::move(mended) : std::move(fields);
}

constexpr std::size_t kMaxFrontMatterBytes = 64u << 10;
constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kMaxDescriptionCharacters = 1024;
constexpr std::size_t kMaxCompatibilityCharacters = 500;
constexpr std::size_t kMaxShownBytes = 200;
constexpr std::string_view kFence = "---";
constexpr const char* kHiddenKey = "disable-model-invocation";

constexpr std::array<std::string_view, 6> kKeys = {"name",          "description", "license",
                                                   "compatibility", "metadata",    "allowed-tools"};

struct Parts {
  std::string_view yaml;
  std::string_view body;
};

// Splits the file at the two lines "---".
Result<Parts> split_parts(std::string_view text) {
  const auto lines = split_lines(text);
  if (lines.empty() || trim(lines.front()) != kFence) {
    return Error{ErrorKind::kConfig, "1: expected front matter between two lines '---'"};
  }
  const auto begin = [&](std::size_t i) {
    return static_cast<std::size_t>(lines[i].data() - text.data());
  };
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (trim(lines[i]) != kFence || lines[i].starts_with(' ')) continue;
    const std::size_t end = begin(i) + lines[i].size();
    return Parts{text.substr(begin(1), begin(i) - begin(1)), trim(text.substr(end))};
  }
  return Error{ErrorKind::kConfig, "1: the front matter has no second line '---'"};
}

std::string field(const SkillFields& fields, std::string_view key) {
  const auto found = fields.find(key);
  return found == fields.end() ? "" : std::string(trim(found->second));
}

// Moves the line number in "LINE: REASON" by the first line of the file.
Error in_file(const Error& error) {
  const auto line =
      number_from<int>(std::string_view(error.message).substr(0, error.message.find(':')));
  if (!line) return error;
  return Error{error.kind,
               std::to_string(*line + 1) + error.message.substr(error.message.find(':'))};
}

std::string name_problem(std::string_view name) {
  if (name.size() > kMaxNameBytes) return fmt::format("has more than {} characters", kMaxNameBytes);
  for (const char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || is_digit(c) || c == '-';
    if (!fits) return "has characters other than a-z, 0-9 and '-'";
  }
  const bool edges = name.starts_with('-') || name.ends_with('-');
  if (edges || name.find("--") != name.npos) return "has a '-' at an end or two in a row";
  return "";
}

std::vector<std::string> deviations_of(const SkillFields& fields, std::string_view folder_name,
                                       std::string_view body) {
  std::vector<std::string> problems;
  const std::string name = field(fields, "name");
  const std::string shown = one_line(truncate_utf8(name, kMaxShownBytes));
  if (name.empty()) problems.push_back("name: is missing");
  if (const std::string problem = name_problem(name); !problem.empty()) {
    problems.push_back(fmt::format("name: '{}' {}", shown, problem));
  }
  if (!name.empty() && name != folder_name) {
    problems.push_back(fmt::format("name: '{}' is not the folder's name '{}'", shown,
                                   one_line(truncate_utf8(folder_name, kMaxShownBytes))));
  }
  const auto check_length = [&](std::string_view key, std::size_t limit) {
    const std::size_t length = count_characters(field(fields, key));
    if (length > limit) {
      problems.push_back(fmt::format("{}: has {} characters, the limit is {}", key, length, limit));
    }
  };
  check_length("description", kMaxDescriptionCharacters);
  check_length("compatibility", kMaxCompatibilityCharacters);
  for (const auto& [key, value] : fields) {
    const std::string_view top = std::string_view(key).substr(0, key.find('.'));
    if (std::find(kKeys.begin(), kKeys.end(), top) != kKeys.end() || top == kHiddenKey) continue;
    problems.push_back(fmt::format("{}: is not in the specification",
                                   one_line(truncate_utf8(key, kMaxShownBytes))));
  }
  if (body.empty()) problems.push_back("the body is empty");
  return problems;
}

}  // namespace

Result<SkillText> parse_skill(const std::string& folder, std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  if (!is_valid_utf8(bytes)) return Error{ErrorKind::kConfig, "1: the file is not UTF-8"};
  PEDRO_TRY(const Parts parts, split_parts(bytes));
  if (parts.yaml.size() > kMaxFrontMatterBytes) {
    return Error{ErrorKind::kConfig,
                 fmt::format("1: the front matter has more than {} bytes", kMaxFrontMatterBytes)};
  }
  const Result<SkillFields> fields = read_skill_fields(parts.yaml);
  if (!fields) return in_file(fields.error());
  SkillText text;
  text.skill.folder = folder;
  const std::string name = field(*fields, "name");
  text.skill.name =
      one_line(truncate_utf8(name.empty() ? base_name(folder) : name, kMaxShownBytes));
  text.skill.description = one_line(field(*fields, "description"));
  if (text.skill.description.empty()) {
    return Error{ErrorKind::kConfig, "1: description: is missing"};
  }
  text.skill.hidden = to_lower(field(*fields, kHiddenKey)) == "true";
  text.skill.deviations = deviations_of(*fields, base_name(folder), parts.body);
  text.body = parts.body;
  return text;
}

}  // namespace pedro
