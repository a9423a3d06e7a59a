#include <string>
#include <string_view>

#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"
#include "call_parser/mistral_tokens.h"

namespace pedro {
namespace {

using Look = ReplyText::Look;

/// Reads calls of Mistral's models. Versions 2 to 7:
///
///   `[TOOL_CALLS][{"name": "f", "arguments": {"x": 1}, "id": "abcdefghi"}]`
///
/// Since version 11, with an optional [CALL_ID]:
///
///   `[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{"x": 1}`.
///
/// Each object is a separate call, so the array need not be closed. Also reads one object without
/// an array, and a name directly before its arguments.
class MistralCallReader : public StateReader<MistralCallReader> {
 public:
  MistralCallReader() : StateReader(&MistralCallReader::find, {mistral::kCalls}) {}

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);
  Step read_element(ReplyText& reply, CallCollector& out);
  Step read_next(ReplyText& reply, CallCollector& out);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_id(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step read_value(const ReplyText& reply);

  MarkerSearch markers_{{"[TOOL_CALLS]"}};
  bool in_array_ = false;
  ValueReader value_;
  NameReader name_;
  std::string tool_;  // "" if the object contains the name
  std::string id_;
};

Step MistralCallReader::find(ReplyText& reply, CallCollector& out) {
  if (markers_.next(reply, out) < 0) return Step::kWait;
  found_any_ = true;
  begin_ = reply.at;
  reply.at += mistral::kCalls.size();
  tool_.clear();
  id_.clear();
  in_array_ = false;
  return go(&MistralCallReader::read_opened);
}

Step MistralCallReader::read_value(const ReplyText& reply) {
  value_.begin(reply, begin_);
  return go(&MistralCallReader::read_json);
}

Step MistralCallReader::read_opened(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) return reject_at_end(reply, out, "'[' or the name of a tool");
  const char c = reply.text()[reply.at];
  if (c == '{') return read_value(reply);
  if (c == '[') {
    ++reply.at;
    in_array_ = true;
    return go(&MistralCallReader::read_element);
  }
  name_.begin(reply);
  return go(&MistralCallReader::read_name);
}

Step MistralCallReader::read_element(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) return reject_at_end(reply, out, "'{'");
  if (reply.text()[reply.at] != '{') return reject(out, "'{'");
  begin_ = reply.at;
  return read_value(reply);
}

// Reads the text after an array element. The array need not be closed.
Step MistralCallReader::read_next(ReplyText& reply, CallCollector&) {
  if (!reply.skip_blanks()) return Step::kWait;
  const char c = reply.text()[reply.at];
  state_ = c == ',' ? &MistralCallReader::read_element : &MistralCallReader::find;
  if (c == ',' || c == ']') ++reply.at;
  return Step::kOn;
}

Step MistralCallReader::read_name(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "[{\n")) {
    return name_.fails(reply) ? reject(out, "[ARGS] after the name") : Step::kWait;
  }
  tool_ = name_.name(reply);
  if (tool_.empty()) return reject(out, "the name of a tool");
  if (reply.rest().starts_with('{')) return read_value(reply);
  const Look args = reply.look(reply.at, mistral::kArguments);
  const Look id = reply.look(reply.at, mistral::kCallId);
  if (args == Look::kMore || id == Look::kMore) return Step::kWait;
  if (args == Look::kNo && id == Look::kNo) return reject(out, "[ARGS] after the name");
  reply.at += args == Look::kYes ? mistral::kArguments.size() : mistral::kCallId.size();
  if (args == Look::kYes) return read_value(reply);
  name_.begin(reply);
  return go(&MistralCallReader::read_id);
}

Step MistralCallReader::read_id(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "[{\n")) {
    return name_.fails(reply) ? reject(out, "[ARGS] after the id") : Step::kWait;
  }
  id_ = name_.name(reply);
  if (reply.rest().starts_with('{')) return read_value(reply);
  const Look args = reply.look(reply.at, mistral::kArguments);
  if (args == Look::kMore) return Step::kWait;
  if (args == Look::kNo) return reject(out, "[ARGS] after the id");
  reply.at += mistral::kArguments.size();
  return read_value(reply);
}

Step MistralCallReader::read_json(ReplyText& reply, CallCollector& out) {
  const ValueReader::State state = value_.read(reply, out);
  if (state == ValueReader::State::kMore) return Step::kWait;
  state_ = &MistralCallReader::skip;
  if (state == ValueReader::State::kRejected) return Step::kOn;
  if (tool_.empty()) {
    out.add_value(value_.where(), value_.value(), CallMark::kMarker);
  } else {
    out.add_arguments(value_.where(), tool_, id_, value_.value());
  }
  return go(in_array_ ? &MistralCallReader::read_next : &MistralCallReader::find);
}

}  // namespace

std::unique_ptr<CallReader> new_mistral_reader() {
  return std::make_unique<MistralCallReader>();
}

}  // namespace pedro
