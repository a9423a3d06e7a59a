#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sys/http.h"

namespace pedro {
namespace {

using namespace std::string_view_literals;
using Events = std::vector<std::string>;

/// Returns the events of a stream that arrives in these pieces.
Events parse(const std::vector<std::string_view>& pieces) {
  SseParser parser;
  Events events;
  const auto collect = [&events](std::string_view data) { events.emplace_back(data); };
  for (const std::string_view piece : pieces) REQUIRE(parser.feed(piece, collect));
  parser.finish(collect);
  return events;
}

struct Row {
  std::string name;
  std::string_view stream;
  Events events;
};

const std::vector<Row> kRows = {
    {"one event per blank line", "data: a\n\ndata: b\n\n", {"a", "b"}},
    {"lines end in LF, CR or both", "data: a\r\n\r\ndata: b\r\rdata: c\n\n", {"a", "b", "c"}},
    {"one blank after the colon is not data", "data:a\n\ndata:  b\n\n", {"a", " b"}},
    {"a line end of two bytes is one line end", "data: a\r\ndata: b\r\n\r\n", {"a\nb"}},
    {"several data lines are one event", "data: a\ndata:\ndata: b\n\n", {"a\n\nb"}},
    {"comments and other fields are skipped",
     ":\n\nevent: x\nid: 1\ndatabase: y\ndata: a\n\n",
     {"a"}},
    {"a data line may be empty", "data\n\ndata:\n\n", {"", ""}},
    {"an event without data is none", "event: ping\n\n\n\ndata: a\n\n", {"a"}},
    {"a byte order mark is skipped",
     "\xEF\xBB\xBF"
     "data: a\n\n",
     {"a"}},
    {"the last blank line may be missing", "data: a\n\ndata: b\n", {"a", "b"}},
    {"the last line end may be missing", "data: a\n\ndata: {\"x\":1}", {"a", "{\"x\":1}"}},
    {"UTF-8 passes", "data: \xC3\xA4\xE2\x82\xAC\n\n", {"\xC3\xA4\xE2\x82\xAC"}},
    {"nothing", "", {}},
};

}  // namespace

TEST_CASE("sse: whatever the chunks are") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    CHECK(parse({row.stream}) == row.events);
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < row.stream.size(); ++i) {
      bytes.push_back(row.stream.substr(i, 1));
      for (std::size_t j = i; j <= row.stream.size(); ++j) {
        CAPTURE(i);
        CAPTURE(j);
        CHECK(parse({row.stream.substr(0, i), row.stream.substr(i, j - i), row.stream.substr(j)}) ==
              row.events);
      }
    }
    CHECK(parse(bytes) == row.events);
  }
}

TEST_CASE("sse: the name of an event") {
  SseParser parser;
  std::string all;
  const auto add = [&](std::string_view data) {
    all += std::string(parser.event_name()) + "=" + std::string(data) + ";";
  };
  CHECK(parser.feed("event: a\ndata: 1\n\ndata: 2\nevent:b\n\nevent: c\n\ndata: 3\n\n", add));
  CHECK(all == "a=1;b=2;=3;");
}

TEST_CASE("sse: the id of the last complete event, and the delay before a new connection") {
  SseParser parser;
  const auto ignore = [](std::string_view) {};
  CHECK(parser.retry_ms() < 0);
  CHECK(parser.feed("id: 1\nretry: 500\ndata:\n\nid: 2\n", ignore));
  CHECK(parser.last_id() == "1");
  CHECK(parser.retry_ms() == 500);
  CHECK(parser.feed("\nretry: 5 s\nid: a\0b\n\n"sv, ignore));
  CHECK(parser.last_id() == "2");
  CHECK(parser.retry_ms() == 500);
  CHECK(parser.feed("id\n\n", ignore));
  CHECK(parser.last_id() == "");
}

TEST_CASE("sse: an event that grows too long kills the parser") {
  SseParser parser;
  parser.max_event_bytes = 10;
  Events events;
  const auto collect = [&events](std::string_view data) { events.emplace_back(data); };
  CHECK(parser.feed("data: a\n\ndata: b\n", collect));
  CHECK(parser.feed("data: 345", collect));
  CHECK_FALSE(parser.feed("67", collect));
  CHECK_FALSE(parser.feed("\n\ndata: c\n\n", collect));
  parser.finish(collect);
  CHECK(events == Events{"a"});
}

}  // namespace pedro
