#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// Returns an error (kConfig) unless `json` is an object whose keys are all in `known`.
Status check_keys(const Json& json, const std::vector<std::string>& known);

}  // namespace pedro
