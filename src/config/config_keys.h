#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.h"

namespace pedro {

/// Where a setting lives in a Config; which alternative it is says the setting's type.
/// Json is a list of objects, or one with `is_object`.
using ConfigSlot =
    std::variant<bool*, int*, double*, std::string*, std::vector<std::string>*, Json*>;

/// What a text, or each of a list, must look like. kLine in a list is a shell command.
enum class TextForm {
  kLine,      ///< any text without control characters
  kChoice,    ///< one of `choices`
  kUrl,       ///< begins with http:// or https://, no blanks
  kName,      ///< no blanks, no '-' in front (a program would take it for an option)
  kVariable,  ///< "" or the name of an environment variable; in a list never ""
  kPath,      ///< begins with "/" or "~/", without ".."; in lists only
};

/// One setting. The table of these is the only list of settings there is: reading, checking,
/// showing, the example file and the documentation follow it.
struct ConfigKey {
  std::string_view name;  ///< "model.server_url"
  std::string_view doc;   ///< one line
  ConfigSlot (*slot)(Config&);
  double min = 0;  ///< of numbers, inclusive
  double max = 0;
  std::string_view choices = {};  ///< "a|b|c"
  TextForm form = TextForm::kLine;
  /// Not obeyed in a project's file: whoever wrote the repository may not decide it.
  bool only_user = false;
  bool is_object = false;
  /// Where a project's file has its own value beside the user's; null: it takes the user's place.
  ConfigSlot (*project_slot)(Config&) = nullptr;
};

/// All settings, in the order in which they are shown.
std::span<const ConfigKey> config_keys();

/// The setting of that name, or null.
const ConfigKey* find_config_key(std::string_view name);

/// True where `name` stands before the '.' of a setting: "model".
bool is_config_group(std::string_view name);

/// " (did you mean 'x'?)" from the settings and groups beside `name`, or "".
std::string nearest_config_key(std::string_view name);

/// "model.server_url" is PEDROCLI_MODEL_SERVER_URL in the environment.
std::string variable_of(const ConfigKey& key);

/// What a value must be, for messages and documentation: "a number from 0 to 2".
std::string expectation_of(const ConfigKey& key);

}  // namespace pedro
