#pragma once

#include <doctest/doctest.h>

#include "base/json.h"

namespace pedro {

/// The value of a text that is JSON.
inline Json json_of(std::string_view text) {
  const Result<Json> json = parse_json(text);
  REQUIRE(json.ok());
  return *json;
}

}  // namespace pedro
