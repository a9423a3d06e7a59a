#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

/// A reply that calls a tool, in the format of `-backend manual`.
inline std::string call(std::string_view tool, const Json& args) {
  return to_line({{"tool", tool}, {"args", args}});
}

// The replies of a model that changes a.txt to "good", for each phase of a build.
inline const std::string kAnalyzed =
    R"({"tool":"phase_complete","args":{"summary":"a.txt says bad","files":["a.txt"]}})";
inline const std::string kPlanned =
    R"({"tool":"phase_complete","args":{"steps":[{"file":"a.txt","change":"say good"}],"test":"the check"}})";
inline const std::string kEdit =
    R"({"tool":"file","args":{"action":"replace","path":"a.txt","old":"bad","new":"good"}})";
inline const std::string kDone =
    R"({"tool":"phase_complete","args":{"summary":"a.txt says good now"}})";
inline const std::string kDelivered =
    R"({"tool":"phase_complete","args":{"subject":"Say good","body":"It said bad."}})";

/// A `gh` script that knows issue 3, see Program::install_gh().
inline const std::string kGhIssue =
    R"(echo '{"number":3,"title":"Be good","body":"a.txt should say good.","comments":[],"url":""}')";

}  // namespace pedro
