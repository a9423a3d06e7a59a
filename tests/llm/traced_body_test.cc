#include <doctest/doctest.h>

#include "llm/json_client.h"

namespace pedro {
namespace {

// Returns "[FROM,…,TO]".
std::string ids_between(int from, int to) {
  std::string ids = "[";
  for (int id = from; id <= to; ++id) ids += (id == from ? "" : ",") + std::to_string(id);
  return ids + "]";
}

}  // namespace

TEST_CASE("traced body: only long lists of ids are cut, in the middle") {
  const std::string around = R"(,"logit_bias":[[1,5],[2,-5]],"grammar":"root ::= \"[1,2]\"")";
  CHECK(traced_body("{\"prompt\":" + ids_between(1, 64) + around) ==
        "{\"prompt\":" + ids_between(1, 64) + around);
  const std::string cut = traced_body("{\"prompt\":" + ids_between(1, 1000) + around);
  CHECK(cut.starts_with("{\"prompt\":[1,2,3,"));
  CHECK(cut.find(",24, \u2026 952 ids \u2026, 977,") != std::string::npos);
  CHECK(cut.ends_with(",1000]" + around));
}

TEST_CASE("traced body: strings and damaged bodies stay as they are") {
  const std::string text = "{\"content\":\"" + ids_between(1, 1000) + "\"}";
  const std::string cases[] = {text,
                               "",
                               "\"",
                               "\"\\",
                               "[",
                               "[1,2",
                               "[1,",
                               "[[[",
                               "]",
                               "\xff[1]",
                               ids_between(1, 1000).substr(0, 900)};
  for (const std::string& body : cases) CHECK(traced_body(body) == body);
}

}  // namespace pedro
