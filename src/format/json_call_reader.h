#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/call_scan.h"
#include "format/call_syntax.h"
#include "format/python_call.h"

namespace pedro {

/// Calls as JSON objects anywhere in a text: on their own, in arrays, in ``` code blocks, within
/// other objects. Of kLlama <|python_tag|>, of kGemma ```tool_code may stand in front of an object
/// or of calls in Python.
///
/// Braces that are no JSON are text. An object that is cut or broken and has "tool", "args",
/// "arguments" or "parameters" in it was meant as a call: it is rejected, and so is no call looked
/// for behind it, where there may be nothing but its own content.
class JsonCallReader {
 public:
  explicit JsonCallReader(CallSyntax syntax);

  void read(ReplyText& reply, CallCollector& out);
  /// Always: there is no other way to read it.
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
  bool first_ = false;              // the object is the first thing in the reply
  bool any_ = false;                // there was an object
  std::optional<ByteRange> alone_;  // such an object, that was no call
};

}  // namespace pedro
