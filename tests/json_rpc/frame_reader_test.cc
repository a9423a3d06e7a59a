#include <doctest/doctest.h>

#include <vector>

#include "json_rpc/message.h"

namespace pedro::json_rpc {
namespace {

std::vector<std::string> frames_of(FrameReader& reader, std::string_view bytes, std::size_t size) {
  std::vector<std::string> frames;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    reader.feed(bytes.substr(at, size), [&](std::string_view frame, bool too_long) {
      frames.push_back(too_long ? "TOO LONG" : std::string(frame));
    });
  }
  return frames;
}

}  // namespace

TEST_CASE("frames: lines in pieces of any size; blank lines are skipped") {
  for (const std::size_t size : {1, 2, 100}) {
    FrameReader reader(10);
    CHECK(frames_of(reader, "one\n\n \r\ntwo\nha", size) == std::vector<std::string>{"one", "two"});
    CHECK(reader.is_inside());
    CHECK(frames_of(reader, "lf\n", size) == std::vector<std::string>{"half"});
    CHECK_FALSE(reader.is_inside());
  }
}

TEST_CASE("frames: one over the limit is reported once, and the next is read") {
  for (const std::size_t size : {1, 7, 1000}) {
    FrameReader reader(10);
    CHECK(
        frames_of(reader, "0123456789\n01234567890\n" + std::string(100, 'x') + "\nnext\n", size) ==
        std::vector<std::string>{"0123456789", "TOO LONG", "TOO LONG", "next"});
    CHECK(frames_of(reader, std::string(11, 'x'), size).empty());
    CHECK(reader.is_inside());
  }
}

}  // namespace pedro::json_rpc
