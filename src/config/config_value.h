#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "config/config_keys.h"

namespace pedro {

/// Stores `value` in the setting. Error (kConfig): its type, range or form is invalid. The setting
/// is then unchanged. Example: `model.temperature: expected a number from 0 to 2, got "hot"`.
Status set_from_json(Config& config, const ConfigKey& key, const Json& value);

/// Stores the text of a flag or a variable. Booleans: true, false, 1, 0. Lists: a JSON array or one
/// command. Lists of objects and objects: JSON.
Status set_from_text(Config& config, const ConfigKey& key, std::string_view text);

/// The value of the setting as JSON.
Json value_of(const Config& config, const ConfigKey& key);

}  // namespace pedro
