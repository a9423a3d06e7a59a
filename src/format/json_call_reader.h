#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/call_scan.h"
#include "format/call_syntax.h"
#include "format/python_call.h"

namespace pedro {

/// Reads calls that are JSON objects anywhere in a text: alone, in arrays, in ``` code blocks or in
/// other objects. <|python_tag|> (kLlama) or ```tool_code (kGemma) may precede an object or calls
/// in Python.
///
/// Braces outside JSON are text. A cut or broken object with "tool", "args", "arguments" or
/// "parameters" was meant as a call and is rejected. No calls are read after it, because the rest
/// may be its content.
class JsonCallReader {
 public:
  explicit JsonCallReader(CallSyntax syntax);

  void read(ReplyText& reply, CallCollector& out);
  /// Returns true always, because no other syntax is a fallback.
  bool found_any() const { return true; }

 private:
  enum class State : std::uint8_t { kText, kObject, kBlock, kPython, kDone };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply, CallCollector& out);
  Step read_object(ReplyText& reply, CallCollector& out);
  void take_object(ReplyText& reply, CallCollector& out);
  void leave_object(ReplyText& reply, CallCollector& out, bool broken);
  Step read_block(ReplyText& reply, CallCollector& out);
  Step read_python(ReplyText& reply, CallCollector& out);
  void take_python(ReplyText& reply, CallCollector& out);
  void finish(CallCollector& out);

  MarkerSearch markers_;
  bool many_;  // a block can have several calls in Python
  CallMark mark_ = CallMark::kNone;
  State state_ = State::kText;
  JsonExtent json_;
  PythonExtent python_;
  std::size_t begin_ = 0;
  bool first_ = false;              // the object begins the reply
  bool any_ = false;                // an object was found
  std::optional<ByteRange> alone_;  // an object that begins the reply but is not a call
};

}  // namespace pedro
