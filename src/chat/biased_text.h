#pragma once

#include <string>

namespace pedro {

/// A text that becomes more or less likely in replies.
struct BiasedText {
  std::string text;          ///< "action"; valid UTF-8, not empty
  double bias = 0;           ///< added to the logit of its token
  bool capitalised = false;  ///< also applies to "Action"

  friend bool operator==(const BiasedText&, const BiasedText&) = default;
};

}  // namespace pedro
