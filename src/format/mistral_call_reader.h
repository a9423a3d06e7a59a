#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "format/call_scan.h"

namespace pedro {

/// Reads calls of Mistral's models, in versions 2 to 7
///
///   [TOOL_CALLS][{"name": "f", "arguments": {"x": 1}, "id": "abcdefghi"}]
///
/// and since version 11, where [CALL_ID] is optional:
///
///   [TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{"x": 1}
///
/// Each object is a separate call, so the array need not be closed. Also reads one object without
/// an array, and a name directly before its arguments.
class MistralCallReader {
 public:
  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t { kText, kOpened, kElement, kNext, kName, kId, kJson, kSkip };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);
  Step read_element(ReplyText& reply, CallCollector& out);
  Step read_next(ReplyText& reply);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_id(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step skip(ReplyText& reply);
  Step read_value(const ReplyText& reply);
  Step reject(CallCollector& out, std::string expected);

  MarkerSearch markers_{{"[TOOL_CALLS]"}};
  State state_ = State::kText;
  bool found_any_ = false;
  bool in_array_ = false;
  std::size_t begin_ = 0;
  ValueReader value_;
  NameReader name_;
  std::string tool_;  // "" if the object contains the name
  std::string id_;
};

}  // namespace pedro
