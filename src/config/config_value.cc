#include "config/config_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTextBytes = 4096;
constexpr std::size_t kMaxCommands = 32;
constexpr std::size_t kMaxRows = 1000;
constexpr std::size_t kMaxShownBytes = 60;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_variable_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return std::all_of(text.begin(), text.end(), allowed) &&
         (text.empty() || text[0] < '0' || text[0] > '9');
}

bool is_path(std::string_view text) {
  if (!text.starts_with('/') && !(text.starts_with("~/") && text.size() > 2)) return false;
  const std::vector<std::string_view> pieces = split(text, '/');
  return std::find(pieces.begin(), pieces.end(), "..") == pieces.end();
}

bool has_form(const ConfigKey& key, const std::string& text) {
  if (text.size() > kMaxTextBytes || !is_valid_utf8(text)) return false;
  if (std::any_of(text.begin(), text.end(), is_control)) return false;
  const bool blanks = text.find(' ') != std::string::npos;
  switch (key.form) {
    case TextForm::kLine:
      return true;
    case TextForm::kChoice: {
      const std::vector<std::string_view> choices = split(key.choices, '|');
      return std::find(choices.begin(), choices.end(), text) != choices.end();
    }
    case TextForm::kUrl:
      return !blanks && ((text.starts_with("http://") && text.size() > 7) ||
                         (text.starts_with("https://") && text.size() > 8) ||
                         (text.starts_with("unix:/") && text.size() > 6));
    case TextForm::kName:
      return !text.empty() && !blanks && !text.starts_with('-');
    case TextForm::kVariable:
      return is_variable_name(text);
    case TextForm::kPath:
      return is_path(text);
  }
  return false;
}

bool is_command(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text.size() <= kMaxTextBytes && !trim(text).empty() && is_valid_utf8(text) &&
         text.find('\0') == std::string::npos;
}

bool is_list_item(const ConfigKey& key, const Json& value) {
  if (!is_command(value)) return false;
  return key.form == TextForm::kLine || has_form(key, value.get_ref<const std::string&>());
}

bool in_range(const ConfigKey& key, double value) {
  return value >= key.min && value <= key.max;
}

// Each overload stores a valid `value` and returns true. It returns false for an invalid one.
struct Store {
  const ConfigKey& key;
  const Json& value;

  bool operator()(bool* slot) const {
    if (!value.is_boolean()) return false;
    *slot = value.get<bool>();
    return true;
  }
  bool operator()(int* slot) const {
    // The conversion to double is exact for every int and keeps huge numbers out of range.
    if (!value.is_number_integer() || !in_range(key, value.get<double>())) return false;
    *slot = static_cast<int>(value.get<double>());
    return true;
  }
  bool operator()(double* slot) const {
    if (!value.is_number() || !in_range(key, value.get<double>())) return false;
    *slot = value.get<double>();
    return true;
  }
  bool operator()(std::string* slot) const {
    if (!value.is_string() || !has_form(key, value.get_ref<const std::string&>())) return false;
    *slot = value.get<std::string>();
    return true;
  }
  bool operator()(std::vector<std::string>* slot) const {
    if (!value.is_array() || value.size() > kMaxCommands) return false;
    const auto fits = [this](const Json& item) { return is_list_item(key, item); };
    if (!std::all_of(value.begin(), value.end(), fits)) return false;
    *slot = value.get<std::vector<std::string>>();
    return true;
  }
  bool operator()(Json* slot) const {
    if (key.is_object) {
      if (!value.is_object() || value.size() > kMaxRows) return false;
      *slot = value;
      return true;
    }
    if (!value.is_array() || value.size() > kMaxRows) return false;
    const auto is_row = [](const Json& row) { return row.is_object(); };
    if (!std::all_of(value.begin(), value.end(), is_row)) return false;
    *slot = value;
    return true;
  }
};

std::string shown(const Json& value) {
  std::string line = to_line(value);
  if (line.size() <= kMaxShownBytes) return line;
  return std::string(truncate_utf8(line, kMaxShownBytes)) + "...";
}

// Converts text to JSON for a setting. Text that does not parse stays a string; Store then rejects
// it.
struct FromText {
  std::string_view text;

  Json operator()(const bool*) const {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    return text;
  }
  Json operator()(const int*) const {
    const auto number = number_from<long long>(text);
    return number ? Json(*number) : Json(text);
  }
  Json operator()(const double*) const {
    const auto number = number_from<double>(text);
    return number ? Json(*number) : Json(text);
  }
  Json operator()(const std::string*) const { return text; }
  Json operator()(const std::vector<std::string>*) const {
    if (!trim(text).starts_with('[')) return Json::array({text});
    const Result<Json> list = parse_json(text, {.max_bytes = 1u << 20, .max_depth = 2});
    return list ? *list : Json(text);
  }
  Json operator()(const Json*) const {
    const Result<Json> rows = parse_json(text, {.max_bytes = 1u << 20, .max_depth = 8});
    return rows ? *rows : Json(text);
  }
};

}  // namespace

Status set_from_json(Config& config, const ConfigKey& key, const Json& value) {
  if (std::visit(Store{key, value}, key.slot(config))) return {};
  return Error{ErrorKind::kConfig,
               fmt::format("{}: expected {}, got {}", key.name, expectation_of(key), shown(value))};
}

Status set_from_text(Config& config, const ConfigKey& key, std::string_view text) {
  return set_from_json(config, key, std::visit(FromText{text}, key.slot(config)));
}

Json value_of(const Config& config, const ConfigKey& key) {
  Config copy = config;  // the slots are mutable
  return std::visit([](const auto* slot) { return Json(*slot); }, key.slot(copy));
}

}  // namespace pedro
