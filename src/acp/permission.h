#pragma once

#include <string>

#include "base/json.h"

namespace pedro::acp {

/// Returns the parameters of session/request_permission for a question of the policy, as `-live`
/// prints it: {what, why, always}. `call_id`: the tool call that it is about.
Json permission_request(const std::string& session_id, const std::string& call_id,
                        const Json& question);

/// Returns the answer in the client's result: "yes", "always" or "no". A cancelled or invalid
/// answer is "no".
std::string permission_answer(const Json& result);

}  // namespace pedro::acp
