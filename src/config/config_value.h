#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "config/config_keys.h"

namespace pedro {

/// Stores `value` in the setting; an error (kConfig) where its type, range or form is wrong, and
/// the setting is then as it was: `model.temperature: expected a number from 0 to 2, got "hot"`.
Status set_from_json(Config& config, const ConfigKey& key, const Json& value);

/// The same for the text of a flag or a variable: true, false, 1, 0 for a truth value; a JSON array
/// or one command for a list.
Status set_from_text(Config& config, const ConfigKey& key, std::string_view text);

/// The setting's value.
Json value_of(const Config& config, const ConfigKey& key);

}  // namespace pedro
