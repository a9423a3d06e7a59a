#include <doctest/doctest.h>

#include "acp/job_updates.h"

namespace pedro::acp {

TEST_CASE("permission: only a selected option of ours is consent") {
  const Json asked = permission_request(
      "s", "c", {{"what", "git push"}, {"why", "rule"}, {"always", "policy.commands"}});
  CHECK(asked["toolCall"]["title"] == "git push");
  CHECK(asked["options"].size() == 3);
  for (const Json& option : asked["options"]) {
    const Json id = option["optionId"];
    CHECK(permission_answer({{"outcome", {{"outcome", "selected"}, {"optionId", id}}}}) == id);
  }
  for (const char* refused :
       {"null", "{}", R"({"outcome":{"outcome":"cancelled"}})", R"({"outcome":"selected"})",
        R"({"outcome":{"outcome":"selected","optionId":"maybe"}})",
        R"({"outcome":{"outcome":"cancelled","optionId":"yes"}})"}) {
    CAPTURE(refused);
    CHECK(permission_answer(*parse_json(refused)) == "no");
  }
}

}  // namespace pedro::acp
