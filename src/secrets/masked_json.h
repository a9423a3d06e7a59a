#pragma once

#include "base/json.h"
#include "secrets/secret_mask.h"

namespace pedro {

/// Masks the secrets in all strings of `value`, but not in member names. Returns `value` unchanged
/// if `secrets` is null. Recursion depth equals the depth of the value.
Json masked_json(const SecretMask* secrets, Json value);

/// Masks the secrets in a string. Returns it unchanged if `secrets` is null.
std::string masked_text(const SecretMask* secrets, std::string text);

}  // namespace pedro
