#include "config/show.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "config/config_value.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxColumn = 40;

std::size_t column_width(const std::vector<ConfigRow>& rows, std::string ConfigRow::*column) {
  std::size_t width = 0;
  for (const ConfigRow& row : rows) {
    const std::size_t bytes = (row.*column).size();
    if (bytes <= kMaxColumn) width = std::max(width, bytes);
  }
  return width;
}

}  // namespace

std::vector<ConfigRow> explain(const LoadedConfig& loaded) {
  std::vector<ConfigRow> rows;
  for (const ConfigKey& key : config_keys()) {
    rows.push_back({std::string(key.name), to_line(value_of(loaded.config, key)),
                    loaded.origin_of(key.name).place});
    const auto beside = loaded.origins.find(project_origin(key.name));
    if (key.project_slot == nullptr || beside == loaded.origins.end()) continue;
    ConfigKey of_project = key;
    of_project.slot = key.project_slot;
    rows.push_back({project_origin(key.name), to_line(value_of(loaded.config, of_project)),
                    beside->second.place});
  }
  return rows;
}

std::string render_config(const LoadedConfig& loaded, ShowOrigin origin) {
  const std::vector<ConfigRow> rows = explain(loaded);
  const std::size_t key_width = column_width(rows, &ConfigRow::key);
  const std::size_t value_width = column_width(rows, &ConfigRow::value);
  std::string out;
  for (const ConfigRow& row : rows) {
    if (origin == ShowOrigin::kYes) {
      out += fmt::format("{:<{}}  {:<{}}  {}\n", row.key, key_width, row.value, value_width,
                         row.origin);
    } else {
      out += fmt::format("{:<{}}  {}\n", row.key, key_width, row.value);
    }
  }
  return out;
}

std::string example_config() {
  const Config defaults;
  Json root = Json::object();
  for (const ConfigKey& key : config_keys()) {
    const std::size_t dot = key.name.find('.');
    const std::string group(key.name.substr(0, dot == key.name.npos ? 0 : dot));
    const bool is_nested =
        !group.empty() && find_config_key(group) == nullptr;  // "checks" is a list
    Json& object = is_nested ? root[group] : root;
    object[std::string(is_nested ? key.name.substr(dot + 1) : key.name)] = value_of(defaults, key);
  }
  return to_pretty(root) + "\n";
}

std::string config_reference() {
  const Config defaults;
  std::string out;
  for (const ConfigKey& key : config_keys()) {
    const std::string value = replace_all(to_line(value_of(defaults, key)), "\",\"", "\", \"");
    out += wrap_text(fmt::format("- `{}`: {}. Value: {}. Default: `{}`. Variable: `{}`.", key.name,
                                 key.doc, expectation_of(key), value, variable_of(key)),
                     120, 2) +
           "\n";
  }
  return out;
}

}  // namespace pedro
