#include "agent/build_result.h"

namespace pedro {

std::string_view to_string(BuildEnd end) {
  switch (end) {
    case BuildEnd::kVerified:
      return "done";
    case BuildEnd::kNotVerified:
      return "not_verified";
    case BuildEnd::kLimit:
      return "limit";
    case BuildEnd::kNothingChanged:
      return "nothing_changed";
    case BuildEnd::kNotReproduced:
      return "not_reproduced";
    case BuildEnd::kBlocked:
      return "blocked";
  }
  return "";
}

}  // namespace pedro
