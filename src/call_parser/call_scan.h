#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call_parser/call_collector.h"
#include "call_parser/json_extent.h"
#include "call_parser/raw_body.h"
#include "call_parser/reply_text.h"

namespace pedro {

/// The tags around a call in kTags and kGlm, and the limit of its parameters.
inline constexpr std::string_view kToolCall = "<tool_call>";
inline constexpr std::string_view kToolCallEnd = "</tool_call>";
inline constexpr std::size_t kMaxParameters = 256;

/// Returns the index of the literal at byte `from`, -1 for none, or -2 if more text is needed.
int look_at_any(const ReplyText& reply, std::size_t from,
                std::span<const std::string_view> literals);
inline int look_at_any(const ReplyText& reply, std::span<const std::string_view> literals) {
  return look_at_any(reply, reply.at, literals);
}

/// Returns true if an argument has this name.
bool was_written(const std::vector<WrittenArgument>& written, std::string_view name);

/// Searches for the markers of a syntax. Also reads thinking tags and texts after calls
/// (raw_body.h), and passes them to the collector.
class MarkerSearch {
 public:
  explicit MarkerSearch(std::vector<std::string_view> markers);

  /// Reads up to the next marker, but not the marker. Returns its index, or -1 if there is none
  /// yet.
  int next(ReplyText& reply, CallCollector& out);

 private:
  std::vector<std::string_view> markers_;  // thinking tags come first, kOpen comes last
  RawBodyReader body_;
};

/// Reads one JSON value that the syntax requires.
class ValueReader {
 public:
  enum class State { kMore, kRead, kRejected };

  /// Starts a value at reply.at. The part that contains it began at `part_begin`.
  void begin(const ReplyText& reply, std::size_t part_begin);
  /// Continues reading. Rejects an invalid value; reply.at is then the wrong byte.
  State read(ReplyText& reply, CallCollector& out);

  const Json& value() const { return value_; }
  /// The range from the start of the part to the end of the value.
  ByteRange where() const { return where_; }

 private:
  JsonExtent extent_;
  std::size_t begin_ = 0;
  ByteRange where_;
  Json value_;
};

/// Reads a name in a marker.
class NameReader {
 public:
  static constexpr std::size_t kMaxBytes = 256;

  void begin(const ReplyText& reply) { begin_ = reply.at; }
  /// Returns true if reply.at is one of `ends`. Returns false if more bytes are needed or the name
  /// is too_long().
  bool read(ReplyText& reply, std::string_view ends);
  bool too_long(const ReplyText& reply) const {
    return !reply.at_edge() && reply.at - begin_ >= kMaxBytes;
  }
  /// Returns true if the name cannot end any more, after read() returned false.
  bool fails(const ReplyText& reply) const { return reply.ended() || too_long(reply); }
  /// The name without surrounding blanks.
  std::string_view name(const ReplyText& reply) const;

 private:
  std::size_t begin_ = 0;
};

}  // namespace pedro
