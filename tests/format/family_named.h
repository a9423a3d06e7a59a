#pragma once

#include <doctest/doctest.h>

#include <string_view>

#include "format/format_family.h"

namespace pedro {

/// A family that is known by this name.
inline const FormatFamily& family_named(std::string_view name) {
  const auto family = find_format(name);
  REQUIRE_MESSAGE(family.ok(), family.error().message);
  return **family;
}

}  // namespace pedro
