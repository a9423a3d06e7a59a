#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.h"

namespace pedro {

/// The location of a setting in a Config; the alternative is the type of the setting. Json is a
/// list of objects, or an object if `is_object` is set.
using ConfigSlot =
    std::variant<bool*, int*, double*, std::string*, std::vector<std::string>*, Json*>;

/// The required form of a text or of each text in a list. In a list, kLine is a shell command.
enum class TextForm {
  kLine,      ///< any text without control characters
  kChoice,    ///< one of `choices`
  kUrl,       ///< begins with http://, https:// or unix:/, no spaces
  kName,      ///< not empty, no spaces, no leading '-' (programs would parse it as an option)
  kVariable,  ///< the name of an environment variable, or "" outside lists
  kPath,      ///< begins with "/" or "~/", without ".."; only in lists
};

/// A setting. The table of these rows is the only list of settings. Parsing, validation, output,
/// the example file and the documentation use it.
struct ConfigKey {
  std::string_view name;  ///< "model.server_url"
  std::string_view doc;   ///< one line
  ConfigSlot (*slot)(Config&);
  double min = 0;  ///< of a number, inclusive
  double max = 0;
  std::string_view choices = {};  ///< "a|b|c"
  TextForm form = TextForm::kLine;
  /// Rejected in a project's file, unless it equals the default: a repository must not decide it.
  bool only_user = false;
  bool is_object = false;
  /// The location of the value from a project's file, in addition to the user's value. Null: the
  /// project's value replaces the user's.
  ConfigSlot (*project_slot)(Config&) = nullptr;
};

/// All settings in display order.
std::span<const ConfigKey> config_keys();

/// Returns the setting with that name, or null.
const ConfigKey* find_config_key(std::string_view name);

/// Returns true if `name` is the prefix of a setting before the '.': "model".
bool is_config_group(std::string_view name);

/// Returns " (did you mean 'x'?)" for the setting or group closest to `name`, or "".
std::string nearest_config_key(std::string_view name);

/// The environment variable of a setting: "model.server_url" is PEDROCLI_MODEL_SERVER_URL.
std::string variable_of(const ConfigKey& key);

/// Describes the valid values for messages and documentation: "a number from 0 to 2".
std::string expectation_of(const ConfigKey& key);

/// A setting of the Go program without an equivalent. Files that contain it still load.
struct LegacyKey {
  std::string_view pattern;       ///< "model.threads", or "lsp.*" for all keys of a group
  std::string_view instead = {};  ///< the replacement, if any
};

/// Returns the row for a dotted key, or null. "lsp.*" matches "lsp.enabled" and "lsp".
const LegacyKey* find_legacy_key(std::string_view key);

/// Returns true for "lsp" if "lsp.*" is listed. Its members are then checked one by one.
bool is_legacy_group(std::string_view key);

}  // namespace pedro
