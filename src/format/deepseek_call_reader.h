#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "format/call_scan.h"

namespace pedro {

/// Reads calls of DeepSeek's models: between <｜tool▁call▁begin｜> and <｜tool▁call▁end｜>, either
/// (V3, R1)
///
///   function<｜tool▁sep｜>NAME
///   ```json
///   {"x": 1}
///   ```
///
/// or (V3.1) NAME<｜tool▁sep｜>{"x": 1}. The markers around all calls are ignored.
class DeepseekCallReader {
 public:
  DeepseekCallReader();

  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t { kText, kHead, kSeparated, kName, kFence, kJson, kSkip };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply, CallCollector& out);
  Step read_head(ReplyText& reply, CallCollector& out);
  Step read_separated(ReplyText& reply, CallCollector& out);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_fence(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step skip(ReplyText& reply);
  Step reject(CallCollector& out, std::string expected);

  MarkerSearch markers_;
  State state_ = State::kText;
  bool found_any_ = false;
  std::size_t begin_ = 0;
  ValueReader value_;
  NameReader name_;
  std::string tool_;
};

}  // namespace pedro
