#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/call_collector.h"
#include "format/json_extent.h"
#include "format/raw_body.h"
#include "format/reply_text.h"

namespace pedro {

/// How a reader's step ended.
enum class Step {
  kOn,    ///< there may be more to read
  kWait,  ///< more bytes have to come, or the reply is read
};

/// Between these stands a call of the syntaxes kTags and kGlm, with so many parameters at most.
inline constexpr std::string_view kToolCall = "<tool_call>";
inline constexpr std::string_view kToolCallEnd = "</tool_call>";
inline constexpr std::size_t kMaxParameters = 256;

/// Returns the index of the literal at byte `from`, -1 if there is none, or -2 if more text is
/// needed.
int look_at_any(const ReplyText& reply, std::size_t from,
                std::span<const std::string_view> literals);
inline int look_at_any(const ReplyText& reply, std::span<const std::string_view> literals) {
  return look_at_any(reply, reply.at, literals);
}

/// Skips blanks. Reads each blank once in total.
class NextNonBlank {
 public:
  /// Returns the position of the first non-blank at or after `from`; the text's size if there is
  /// none yet. Requires that `from` never decreases.
  std::size_t find(const ReplyText& reply, std::size_t from);

 private:
  std::size_t at_ = 0;
};

/// Looks for the markers of a syntax, and for thinking and texts after calls (raw_body.h), which
/// it tells the collector.
class MarkerSearch {
 public:
  explicit MarkerSearch(std::vector<std::string_view> markers);

  /// Reads up to the first marker, which stays in front, and says which it is; -1 where there is
  /// none yet.
  int next(ReplyText& reply, CallCollector& out);

 private:
  std::vector<std::string_view> markers_;  // those of thinking are the first, kOpen is the last
  RawBodyReader body_;
};

/// Reads one JSON value that the syntax asks for.
class ValueReader {
 public:
  enum class State { kMore, kRead, kRejected };

  /// The value is expected at reply.at; its part of the reply began at `part_begin`.
  void begin(const ReplyText& reply, std::size_t part_begin);
  /// Reads on. What is no value is rejected here; reply.at is then at the byte that is wrong.
  State read(ReplyText& reply, CallCollector& out);

  const Json& value() const { return value_; }
  /// From the part's beginning to the value's end.
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
  /// True where one of `ends` is in front; false where more has to come or, if `too_long()`, where
  /// none of them is near.
  bool read(ReplyText& reply, std::string_view ends);
  bool too_long(const ReplyText& reply) const {
    return !reply.at_edge() && reply.at - begin_ >= kMaxBytes;
  }
  /// Without blanks around it.
  std::string_view name(const ReplyText& reply) const;

 private:
  std::size_t begin_ = 0;
};

}  // namespace pedro
