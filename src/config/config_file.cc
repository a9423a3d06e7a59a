#include "config/config_file.h"

#include <fmt/format.h>

#include <deque>
#include <unordered_map>

#include "base/json.h"
#include "base/utf8.h"
#include "config/config_value.h"
#include "config/key_lines.h"
#include "config/legacy_keys.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1u << 20;
constexpr std::size_t kMaxWarnings = 32;
constexpr std::size_t kMaxShownKeyBytes = 80;

// Escapes and truncates a key for a message, so that it cannot control the terminal.
std::string shown(std::string_view key) {
  return make_printable(truncate_utf8(key, kMaxShownKeyBytes));
}

bool is_comment(std::string_view key) {
  return key.starts_with("//") || key.find(".//") != std::string_view::npos;
}

// Merges a parsed file into the configuration, object by object.
class FileLayer {
 public:
  FileLayer(LoadedConfig& loaded, const ConfigFile& file, std::string_view text)
      : loaded_(loaded), file_(file), lines_(scan_key_lines(text)) {}

  Status apply(const Json& root) {
    if (!root.is_object()) {
      return Error{ErrorKind::kConfig, fmt::format("{}:1: expected an object with settings, got {}",
                                                   file_.path, root.type_name())};
    }
    Status once = refuse_repeated();
    if (!once) return once;
    groups_.push_back({"", &root});
    while (!groups_.empty()) {
      const Group group = groups_.front();
      groups_.pop_front();
      for (const auto& [name, value] : group.object->items()) {
        if (name.starts_with("//")) continue;
        Status applied = apply_member(group.prefix + name, value);
        if (!applied) return applied;
      }
    }
    count_more_warnings();
    return {};
  }

 private:
  struct Group {
    std::string prefix;  // "model."
    const Json* object = nullptr;
  };

  std::string place(std::string_view key) const {
    return fmt::format("{}:{}", file_.path, line_of(lines_, key));
  }

  // Rejects duplicate keys. The JSON parser would silently use the last one.
  Status refuse_repeated() const {
    std::unordered_map<std::string_view, int> first;
    for (const KeyLine& line : lines_) {
      if (is_comment(line.key)) continue;
      const auto [seen, is_new] = first.emplace(line.key, line.line);
      if (is_new) continue;
      return Error{ErrorKind::kConfig,
                   fmt::format("{}:{}: '{}' is set twice, first on line {}", file_.path, line.line,
                               shown(line.key), seen->second)};
    }
    return {};
  }

  Status apply_member(const std::string& key, const Json& value) {
    if ((is_config_group(key) || is_legacy_group(key)) && value.is_object()) {
      groups_.push_back({key + ".", &value});
      return {};
    }
    if (const ConfigKey* known = find_config_key(key)) return apply_setting(*known, value);
    if (is_config_group(key)) {
      return Error{ErrorKind::kConfig,
                   fmt::format("{}: {}: expected an object with settings, got {}", place(key), key,
                               value.type_name())};
    }
    if (const LegacyKey* legacy = find_legacy_key(key)) {
      warn(key, *legacy);
      return {};
    }
    return Error{ErrorKind::kConfig, fmt::format("{}: unknown key '{}'{}", place(key), shown(key),
                                                 nearest_config_key(key))};
  }

  Status apply_setting(const ConfigKey& key, const Json& value) {
    if (key.only_user && file_.layer == ConfigLayer::kProjectFile) {
      // A copy of the example file contains the default, which changes nothing.
      if (value == value_of(Config{}, key)) return {};
      if (key.is_object) {  // the Go program had a key of the same name
        warn(std::string(key.name), {key.name, ""});
        return {};
      }
      return Error{ErrorKind::kConfig,
                   fmt::format("{}: {}: a project's file cannot set this; use {} or your own "
                               "configuration",
                               place(key.name), key.name, variable_of(key))};
    }
    const bool beside = key.project_slot != nullptr && file_.layer == ConfigLayer::kProjectFile;
    ConfigKey target = key;
    if (beside) target.slot = key.project_slot;
    const Status set = set_from_json(loaded_.config, target, value);
    if (!set) return set.error().at(place(key.name));
    std::string name(key.name);
    if (beside) name = project_origin(key.name);
    loaded_.origins[name] = {file_.layer, place(key.name)};
    return {};
  }

  void warn(const std::string& key, const LegacyKey& legacy) {
    if (++warnings_ > kMaxWarnings) return;
    std::string text = fmt::format("{}: '{}' has no effect and is ignored", place(key), shown(key));
    if (!legacy.instead.empty()) text += fmt::format("; see '{}'", legacy.instead);
    loaded_.warnings.push_back(std::move(text));
  }

  void count_more_warnings() {
    if (warnings_ <= kMaxWarnings) return;
    loaded_.warnings.push_back(fmt::format("{}: {} more keys have no effect and are ignored",
                                           file_.path, warnings_ - kMaxWarnings));
  }

  LoadedConfig& loaded_;
  const ConfigFile& file_;
  std::vector<KeyLine> lines_;
  std::deque<Group> groups_;
  std::size_t warnings_ = 0;
};

}  // namespace

Status apply_config_file(LoadedConfig& loaded, const FileSystem& files, const ConfigFile& file) {
  const Result<std::string> text = files.read(file.path, kMaxFileBytes);
  if (!text) return Error{ErrorKind::kConfig, text.error().message};
  const Result<Json> root = parse_json(*text, {.max_bytes = kMaxFileBytes, .max_depth = 32});
  if (!root) return Error{ErrorKind::kConfig, file.path + ":" + root.error().message};
  loaded.files.push_back(file.path);
  return FileLayer(loaded, file, *text).apply(*root);
}

}  // namespace pedro
