#pragma once

#include <string>

namespace pedro {

/// A text that is to be likelier in replies, or less likely.
struct BiasedText {
  std::string text;          ///< "action"; valid UTF-8, not empty
  double bias = 0;           ///< added to its token's logit
  bool capitalised = false;  ///< "Action" as well

  friend bool operator==(const BiasedText&, const BiasedText&) = default;
};

}  // namespace pedro
