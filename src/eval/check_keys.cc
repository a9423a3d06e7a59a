#include "eval/check_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pedro {

Status check_keys(const Json& json, const std::vector<std::string>& known) {
  if (!json.is_object()) return config_error("expected an object");
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return config_error(fmt::format("unknown key '{}'{}; there are: {}", key,
                                    did_you_mean(key, known), join(known, ", ")));
  }
  return {};
}

}  // namespace pedro
