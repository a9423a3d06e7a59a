#pragma once

#include <doctest/doctest.h>

#include "base/json.h"

namespace pedro {

/// Parses a text that must be JSON.
inline Json json_of(std::string_view text) {
  const Result<Json> json = parse_json(text);
  REQUIRE(json.ok());
  return *json;
}

}  // namespace pedro
