#include "chat/call_ids.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace pedro {
namespace {

// Builds a conversation with a call and its result for each id.
ChatRequest with_ids(const std::vector<std::string>& ids) {
  ChatRequest request;
  for (const std::string& id : ids) {
    ChatMessage call;
    call.role = Role::kAssistant;
    call.calls.push_back({id, "f", "{}"});
    ChatMessage result;
    result.role = Role::kTool;
    result.call_id = id;
    request.messages.push_back(call);
    request.messages.push_back(result);
  }
  return request;
}

std::vector<std::string> mapped(const std::vector<std::string>& ids) {
  ChatRequest request = with_ids(ids);
  map_call_ids(request, {.length = 9});
  std::vector<std::string> out;
  for (std::size_t i = 0; i < request.messages.size(); i += 2) {
    out.push_back(request.messages[i].calls[0].id);
    CHECK(request.messages[i + 1].call_id == out.back());
  }
  return out;
}

}  // namespace

TEST_CASE("call ids: one that has the form stays") {
  CHECK(mapped({"VvvODy9mT", "abcdefgh2"}) == std::vector<std::string>{"VvvODy9mT", "abcdefgh2"});
}

TEST_CASE("call ids: others become nine letters and digits, always the same") {
  const auto ids = mapped({"call_1", "VvvODy9mT", "call_1", "call_2", "12345678", "1234567890",
                           "é23456789", "abc def g", "VvvODy9mT\n"});
  for (const std::string& id : ids) CHECK(is_call_id(id, {.length = 9}));
  CHECK(ids[0] == ids[2]);
  CHECK(ids[1] == "VvvODy9mT");
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == 8);
  CHECK(mapped({"call_1"})[0] == ids[0]);
}

TEST_CASE("call ids: later calls do not change earlier ids") {
  std::vector<std::string> ids;
  std::vector<std::string> before;
  for (int i = 0; i < 200; ++i) {
    ids.push_back("toolu_" + std::to_string(i * 7919 % 150));
    std::vector<std::string> now = mapped(ids);
    CHECK(std::vector<std::string>(now.begin(), now.end() - 1) == before);
    before = std::move(now);
  }
}

TEST_CASE("call ids: an id that a replacement has taken is replaced") {
  const std::string taken = mapped({"call_1"})[0];
  const auto ids = mapped({"call_1", taken});
  CHECK(ids[0] == taken);
  CHECK(ids[1] != taken);
  CHECK(mapped({taken, "call_1"})[0] == taken);
  CHECK(mapped({taken, "call_1"})[1] != taken);
}

TEST_CASE("call ids: equal ids are separated, and their results follow") {
  for (const bool once : {false, true}) {
    CAPTURE(once);
    ChatRequest request = with_ids({"c", "c"});
    request.messages[0].calls.push_back({"c", "g", "{}"});
    request.messages.insert(request.messages.begin() + 2, request.messages[1]);
    map_call_ids(request, {.max_length = 40, .required = true, .once = once});
    const std::string first = request.messages[0].calls[0].id;
    const std::string second = request.messages[0].calls[1].id;
    CHECK(first == "c");
    CHECK(is_call_id(second, {.length = 9}));
    CHECK(request.messages[1].call_id == first);
    CHECK(request.messages[2].call_id == second);
    const std::string later = request.messages[3].calls[0].id;
    CHECK((later == first) == !once);
    CHECK(later != second);
    CHECK(request.messages[4].call_id == later);
  }
}

TEST_CASE("call ids: an empty id stays empty") {
  CHECK(mapped({"", "call_1"})[0].empty());
}

}  // namespace pedro
