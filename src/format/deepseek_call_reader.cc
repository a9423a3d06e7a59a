#include "format/deepseek_call_reader.h"

#include <array>
#include <string_view>

namespace pedro {
namespace {

using Look = ReplyText::Look;

constexpr std::string_view kBegin = "<｜tool▁call▁begin｜>";
constexpr std::string_view kSeparator = "<｜tool▁sep｜>";
constexpr std::string_view kEnd = "<｜tool▁call▁end｜>";
constexpr std::string_view kFence = "```json";

}  // namespace

DeepseekCallReader::DeepseekCallReader() : markers_({kBegin}) {}

void DeepseekCallReader::read(ReplyText& reply, CallCollector& out) {
  while (!out.full() && step(reply, out) == Step::kOn) {
  }
}

Step DeepseekCallReader::step(ReplyText& reply, CallCollector& out) {
  switch (state_) {
    case State::kText:
      return find(reply, out);
    case State::kHead:
      return read_head(reply, out);
    case State::kSeparated:
      return read_separated(reply, out);
    case State::kName:
      return read_name(reply, out);
    case State::kFence:
      return read_fence(reply, out);
    case State::kJson:
      return read_json(reply, out);
    case State::kSkip:
      return skip(reply);
  }
  return Step::kWait;
}

Step DeepseekCallReader::find(ReplyText& reply, CallCollector& out) {
  if (markers_.next(reply, out) < 0) return Step::kWait;
  found_any_ = true;
  begin_ = reply.at;
  reply.at += kBegin.size();
  name_.begin(reply);
  state_ = State::kHead;
  return Step::kOn;
}

Step DeepseekCallReader::reject(CallCollector& out, std::string expected) {
  out.reject_here(begin_, CallProblem::Kind::kNotACall, std::move(expected));
  state_ = State::kSkip;
  return Step::kOn;
}

Step DeepseekCallReader::skip(ReplyText& reply) {
  constexpr std::array<std::string_view, 2> kEnds = {kEnd, kBegin};
  if (reply.seek(kEnds) < 0) return Step::kWait;
  state_ = State::kText;
  return Step::kOn;
}

// Reads "function" or the tool's name.
Step DeepseekCallReader::read_head(ReplyText& reply, CallCollector& out) {
  const std::string expected(kSeparator);
  if (!name_.read(reply, "<\n{")) {
    const bool wrong = reply.ended() || name_.too_long(reply);
    return wrong ? reject(out, expected) : Step::kWait;
  }
  const Look separator = reply.look(reply.at, kSeparator);
  if (separator == Look::kMore) return Step::kWait;
  if (separator == Look::kNo) return reject(out, expected);
  tool_ = name_.name(reply);
  reply.at += kSeparator.size();
  state_ = State::kSeparated;
  return Step::kOn;
}

Step DeepseekCallReader::read_separated(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) {
    return reply.ended() ? reject(out, "'{' or the name of a tool") : Step::kWait;
  }
  const char c = reply.text()[reply.at];
  if (c == '{' || c == '"' || c == '`') {
    state_ = State::kFence;
    return Step::kOn;
  }
  name_.begin(reply);
  state_ = State::kName;
  return Step::kOn;
}

Step DeepseekCallReader::read_name(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "\n`{<")) {
    const bool wrong = reply.ended() || name_.too_long(reply);
    return wrong ? reject(out, "'{' after the name") : Step::kWait;
  }
  tool_ = name_.name(reply);
  state_ = State::kFence;
  return Step::kOn;
}

// Reads up to the arguments.
Step DeepseekCallReader::read_fence(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) return reply.ended() ? reject(out, "'{'") : Step::kWait;
  if (reply.rest().starts_with('`')) {
    const Look fence = reply.look(reply.at, kFence);
    if (fence == Look::kMore) return Step::kWait;
    if (fence == Look::kNo) return reject(out, std::string(kFence));
    reply.at += kFence.size();
    return Step::kOn;
  }
  if (tool_.empty()) return reject(out, "the name of a tool");
  value_.begin(reply, begin_);
  state_ = State::kJson;
  return Step::kOn;
}

Step DeepseekCallReader::read_json(ReplyText& reply, CallCollector& out) {
  const ValueReader::State state = value_.read(reply, out);
  if (state == ValueReader::State::kMore) return Step::kWait;
  state_ = State::kSkip;
  if (state == ValueReader::State::kRejected) return Step::kOn;
  out.add_arguments(value_.where(), tool_, "", value_.value());
  state_ = State::kText;
  return Step::kOn;
}

}  // namespace pedro
