#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "format/call_scan.h"

namespace pedro {

/// Reads calls of gpt-oss: messages that are addressed to a function,
///
///   <|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{"x": 1}<|call|>
///
/// in any channel, also with `to=` before <|channel|>. "functions." is optional. Messages without a
/// recipient are text or thinking and contain no calls. The first message may lack its beginning,
/// because the prompt contains it.
class HarmonyCallReader {
 public:
  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t { kText, kHead, kJson };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply);
  Step read_head(ReplyText& reply, CallCollector& out);
  Step take_head(ReplyText& reply, const std::string& tool);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step reject(CallCollector& out, std::string expected);

  State state_ = State::kHead;
  bool found_any_ = false;
  std::size_t begin_ = 0;  // of the head
  ValueReader value_;
  std::string tool_;
};

}  // namespace pedro
