#include "secrets/masked_json.h"

namespace pedro {

std::string masked_text(const SecretMask* secrets, std::string text) {
  return secrets == nullptr ? std::move(text) : secrets->mask(text);
}

Json masked_json(const SecretMask* secrets, Json value) {
  if (secrets == nullptr) return value;
  if (auto* text = value.get_ptr<Json::string_t*>()) {
    *text = secrets->mask(*text);
  } else if (value.is_structured()) {
    for (Json& one : value) one = masked_json(secrets, std::move(one));
  }
  return value;
}

}  // namespace pedro
