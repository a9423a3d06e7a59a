#include <array>
#include <cstddef>
#include <cstdint>
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
class MistralCallReader : public CallReader {
 private:
  enum class State : std::uint8_t { kText, kOpened, kElement, kNext, kName, kId, kJson, kSkip };

  Step step(ReplyText& reply, CallCollector& out) override;
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
  bool in_array_ = false;
  std::size_t begin_ = 0;
  ValueReader value_;
  NameReader name_;
  std::string tool_;  // "" if the object contains the name
  std::string id_;
};

Step MistralCallReader::step(ReplyText& reply, CallCollector& out) {
  switch (state_) {
    case State::kText:
      return find(reply, out);
    case State::kOpened:
      return read_opened(reply, out);
    case State::kElement:
      return read_element(reply, out);
    case State::kNext:
      return read_next(reply);
    case State::kName:
      return read_name(reply, out);
    case State::kId:
      return read_id(reply, out);
    case State::kJson:
      return read_json(reply, out);
    case State::kSkip:
      return skip(reply);
  }
  return Step::kWait;
}

Step MistralCallReader::find(ReplyText& reply, CallCollector& out) {
  if (markers_.next(reply, out) < 0) return Step::kWait;
  found_any_ = true;
  begin_ = reply.at;
  reply.at += mistral::kCalls.size();
  tool_.clear();
  id_.clear();
  in_array_ = false;
  state_ = State::kOpened;
  return Step::kOn;
}

Step MistralCallReader::reject(CallCollector& out, std::string expected) {
  out.reject_here(begin_, CallProblem::Kind::kNotACall, std::move(expected));
  state_ = State::kSkip;
  return Step::kOn;
}

Step MistralCallReader::skip(ReplyText& reply) {
  constexpr std::array<std::string_view, 1> kNextCalls = {mistral::kCalls};
  if (reply.seek(kNextCalls) < 0) return Step::kWait;
  state_ = State::kText;
  return Step::kOn;
}

Step MistralCallReader::read_value(const ReplyText& reply) {
  value_.begin(reply, begin_);
  state_ = State::kJson;
  return Step::kOn;
}

Step MistralCallReader::read_opened(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) {
    return reply.ended() ? reject(out, "'[' or the name of a tool") : Step::kWait;
  }
  const char c = reply.text()[reply.at];
  if (c == '{') return read_value(reply);
  if (c == '[') {
    ++reply.at;
    in_array_ = true;
    state_ = State::kElement;
    return Step::kOn;
  }
  name_.begin(reply);
  state_ = State::kName;
  return Step::kOn;
}

Step MistralCallReader::read_element(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) {
    return reply.ended() ? reject(out, "'{'") : Step::kWait;
  }
  if (reply.text()[reply.at] != '{') return reject(out, "'{'");
  begin_ = reply.at;
  return read_value(reply);
}

// Reads the text after an array element. The array need not be closed.
Step MistralCallReader::read_next(ReplyText& reply) {
  if (!reply.skip_blanks()) return Step::kWait;
  const char c = reply.text()[reply.at];
  state_ = c == ',' ? State::kElement : State::kText;
  if (c == ',' || c == ']') ++reply.at;
  return Step::kOn;
}

Step MistralCallReader::read_name(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "[{\n")) {
    const bool wrong = reply.ended() || name_.too_long(reply);
    return wrong ? reject(out, "[ARGS] after the name") : Step::kWait;
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
  state_ = State::kId;
  return Step::kOn;
}

Step MistralCallReader::read_id(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "[{\n")) {
    const bool wrong = reply.ended() || name_.too_long(reply);
    return wrong ? reject(out, "[ARGS] after the id") : Step::kWait;
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
  state_ = State::kSkip;
  if (state == ValueReader::State::kRejected) return Step::kOn;
  if (tool_.empty()) {
    out.add_value(value_.where(), value_.value(), CallMark::kMarker);
  } else {
    out.add_arguments(value_.where(), tool_, id_, value_.value());
  }
  state_ = in_array_ ? State::kNext : State::kText;
  return Step::kOn;
}

}  // namespace

std::unique_ptr<CallReader> new_mistral_reader() {
  return std::make_unique<MistralCallReader>();
}

}  // namespace pedro
