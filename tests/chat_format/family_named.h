#pragma once

#include <doctest/doctest.h>

#include <string_view>

#include "chat_format/format_family.h"

namespace pedro {

/// Returns the family with this name. Fails the test if it is unknown.
inline const FormatFamily& family_named(std::string_view name) {
  const auto family = find_format(name);
  REQUIRE_MESSAGE(family.ok(), family.error().message);
  return **family;
}

}  // namespace pedro
