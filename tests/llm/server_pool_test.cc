#include "llm/server_pool.h"

#include <doctest/doctest.h>

#include <map>

#include "support/loopback_server.h"

namespace pedro {
namespace {

/// Servers a and b for any job and c for those that name it, on a fake clock.
struct Pool {
  explicit Pool(std::map<std::string, ServerLook> at_start) : looks(std::move(at_start)) {}

  /// Returns the name of the server and begins a job there; "wait" if the job must wait.
  std::string place(std::string_view before = "", std::string_view only = "") {
    clock.ms += 10'000;  // looks at all servers again
    const auto found = pool.place_for(before, only);
    if (!found) return "wait";
    pool.begin_job(*found);
    return pool.name(*found);
  }

  std::map<std::string, ServerLook> looks;
  int looked = 0;
  FakeClock clock;
  ServerPool pool{{"http://a", "http://b", "http://a"},
                  {"http://c", "http://b"},
                  1,
                  [this](const std::string& url) {
                    ++looked;
                    return looks[url];
                  },
                  clock};
};

constexpr ServerLook kTwoSlots{.answers = true, .slots = 2};
constexpr ServerLook kGone{};

}  // namespace

TEST_CASE("server pool: the slots add up, and a new job gets the server with the most free ones") {
  Pool bench({{"http://a", kTwoSlots}, {"http://b", {.answers = true, .slots = 3}}});
  CHECK(bench.pool.size() == 3);
  CHECK(bench.pool.answering() == 2);
  CHECK(bench.pool.capacity() == 5);
  std::string placed;
  for (int i = 0; i < 6; ++i) placed += bench.place() + " ";
  CHECK(placed == "http://b http://a http://b http://a http://b wait ");
  bench.pool.end_job(0);
  CHECK(bench.place() == "http://a");
}

TEST_CASE("server pool: a job waits for its server, and moves only if that is gone") {
  Pool bench({{"http://a", kTwoSlots}, {"http://b", kTwoSlots}});
  CHECK(bench.place("http://b") == "http://b");
  CHECK(bench.place("http://b") == "http://b");
  CHECK(bench.place("http://b") == "wait");  // although a is idle
  CHECK(bench.pool.capacity() == 4);
  bench.looks["http://b"].loads = true;
  bench.pool.end_job(1);
  CHECK(bench.place("http://b") == "wait");
  CHECK(bench.pool.capacity() == 2);
  bench.looks["http://b"] = kGone;
  CHECK(bench.place("http://b") == "http://a");
  bench.looks["http://b"] = kTwoSlots;
  CHECK(bench.place("http://b") == "http://b");
  CHECK(bench.place("http://elsewhere") == "http://a");  // it was removed from the command
}

TEST_CASE("server pool: slots that others use are not free, and a job's own stay its own") {
  Pool bench({{"http://a", {.answers = true, .slots = 2, .busy_slots = 2}}, {"http://b", kGone}});
  CHECK(bench.place() == "wait");
  bench.looks["http://a"].busy_slots = 1;
  CHECK(bench.place() == "http://a");
  CHECK(bench.place() == "http://a");  // the busy slot may be that of the first job
  CHECK(bench.place() == "wait");
}

TEST_CASE("server pool: a server that only a line names is for that line") {
  Pool bench({{"http://a", kGone}, {"http://b", kGone}, {"http://c", kTwoSlots}});
  CHECK(bench.place() == "wait");
  CHECK(bench.place("", "http://c") == "http://c");
  CHECK(bench.place("http://a", "http://c") == "http://c");
  CHECK(bench.pool.gone_for(20'000, ""));
  CHECK_FALSE(bench.pool.gone_for(60'000, ""));
  CHECK_FALSE(bench.pool.gone_for(0, "http://c"));
  CHECK(bench.pool.is_gone(0));
  bench.looks["http://a"] = kTwoSlots;
  CHECK_FALSE(bench.pool.is_gone(0));
  CHECK_FALSE(bench.pool.gone_for(0, ""));
}

TEST_CASE("server pool: looks at a server at most once per second, at a gone one less often") {
  Pool bench({{"http://a", kTwoSlots}, {"http://b", kGone}, {"http://c", kGone}});
  const int at_start = bench.looked;
  CHECK(at_start == 3);
  for (int i = 0; i < 100; ++i) {
    bench.clock.ms += 100;
    (void)bench.pool.place_for("", "");
  }
  CHECK(bench.looked - at_start == 10 + 2);
}

TEST_CASE("server pool: the state read from a server") {
  struct Row {
    const char* name;
    LoopbackReply slots;
    LoopbackReply props;
    ServerLook expected;
  };
  const std::string big(100'000, '[');
  const std::vector<Row> rows = {
      {"slots",
       {.body = R"([{"id":0,"is_processing":true},{"id":1,"is_processing":false}])"},
       {},
       {true, false, 2, 1}},
      {"a model that loads", {.status = 503, .body = "{}"}, {}, {true, true, 1, 0}},
      {"no route for slots",
       {.status = 501},
       {.body = R"({"total_slots":4})"},
       {true, false, 4, 0}},
      {"another server", {.status = 404}, {.status = 404}, {true, false, 1, 0}},
      {"a key is missing", {.status = 401}, {.status = 401, .body = "{}"}, {true, false, 1, 0}},
      {"senseless slots", {.body = "[]"}, {.body = R"({"total_slots":-7})"}, {true, false, 1, 0}},
      {"deep slots", {.body = big}, {.body = big}, {true, false, 1, 0}},
      {"no answer",
       {.after = AfterReply::kReset},
       {.after = AfterReply::kReset},
       {false, false, 1, 0}},
      {"health without slots: a prompt is evaluated",
       {.after = AfterReply::kReset},
       {},
       {true, true, 1, 0}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    LoopbackServer server([&row](const LoopbackRequest& request) {
      return request.target == "/slots" ? row.slots : row.props;
    });
    CurlHttp http;
    const CancelToken cancel;
    const ServerLook look = look_at_server(http, server.url(""), "the-key", cancel);
    CHECK(look.answers == row.expected.answers);
    CHECK(look.loads == row.expected.loads);
    CHECK(look.slots == row.expected.slots);
    CHECK(look.busy_slots == row.expected.busy_slots);
    CHECK(server.requests().front().headers.at("authorization") == "Bearer the-key");
  }
}

}  // namespace pedro
