#pragma once

#include "base/json.h"
#include "base/secret_mask.h"

namespace pedro {

/// `value` with the secrets of all texts in it masked; names of members stay. Where `secrets` is
/// null, as it is. Recurses as deep as the value.
Json masked_json(const SecretMask* secrets, Json value);

/// A text likewise.
std::string masked_text(const SecretMask* secrets, std::string text);

}  // namespace pedro
