#include "format/json_call_reader.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pedro {
namespace {

constexpr std::string_view kPythonTag = "<|python_tag|>";
constexpr std::string_view kToolCode = "```tool_code";

std::vector<std::string_view> markers_of(CallSyntax syntax) {
  std::vector<std::string_view> markers{"{"};
  if (syntax == CallSyntax::kLlama) markers.push_back(kPythonTag);
  if (syntax == CallSyntax::kGemma) markers.push_back(kToolCode);
  return markers;
}

bool is_meant_as_call(std::string_view object) {
  for (const std::string_view name : {"\"tool\"", "\"args\"", "\"arguments\"", "\"parameters\""}) {
    if (object.find(name) != std::string_view::npos) return true;
  }
  return false;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n\r") == std::string_view::npos;
}

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

JsonCallReader::JsonCallReader(CallSyntax syntax)
    : markers_(markers_of(syntax)), many_(syntax == CallSyntax::kGemma) {}

void JsonCallReader::read(ReplyText& reply, CallCollector& out) {
  while (!out.full() && step(reply, out) == Step::kOn) {
  }
  if (reply.ended() && !out.full()) finish(out);
}

Step JsonCallReader::step(ReplyText& reply, CallCollector& out) {
  switch (state_) {
    case State::kText:
      return find(reply, out);
    case State::kObject:
      return read_object(reply, out);
    case State::kBlock:
      return read_block(reply, out);
    case State::kPython:
      return read_python(reply, out);
    case State::kDone:
      break;
  }
  return Step::kWait;
}

Step JsonCallReader::find(ReplyText& reply, CallCollector& out) {
  const int found = markers_.next(reply, out);
  if (found < 0) return Step::kWait;
  begin_ = reply.at;
  if (found == 0) {
    first_ = !any_ && is_blank(reply.text().substr(0, begin_));
    any_ = true;
    json_ = JsonExtent();
    state_ = State::kObject;
    return Step::kOn;
  }
  reply.at += reply.text()[begin_] == '<' ? kPythonTag.size() : kToolCode.size();
  state_ = State::kBlock;
  return Step::kOn;
}

Step JsonCallReader::read_object(ReplyText& reply, CallCollector& out) {
  for (; !reply.at_edge(); ++reply.at) {
    const JsonExtent::State state = json_.take(reply.text()[reply.at]);
    if (state == JsonExtent::State::kOpen) continue;
    if (state == JsonExtent::State::kBroken) {
      leave_object(reply, out, true);
    } else {
      ++reply.at;
      take_object(reply, out);
    }
    return Step::kOn;
  }
  if (!reply.ended()) return Step::kWait;
  leave_object(reply, out, false);
  return Step::kOn;
}

void JsonCallReader::take_object(ReplyText& reply, CallCollector& out) {
  state_ = State::kText;
  const ByteRange where{begin_, reply.at};
  const std::string_view text = reply.text().substr(begin_, reply.at - begin_);
  const bool was_empty = out.empty();
  if (const Result<Json> value = parse_json(text)) {
    out.add_value(where, *value, std::exchange(mark_, CallMark::kNone));
  } else if (is_meant_as_call(text)) {
    out.reject_value(where, value.error());
  }
  if (first_ && was_empty && out.empty()) alone_ = where;
}

// Ends an object that is broken at reply.at or cut off by the end of the reply.
void JsonCallReader::leave_object(ReplyText& reply, CallCollector& out, bool broken) {
  const std::string_view text = reply.text().substr(begin_, reply.at - begin_);
  const bool meant = is_meant_as_call(text) || mark_ == CallMark::kMarker ||
                     (first_ && text.find("\"name\"") != std::string_view::npos);
  if (!meant) {
    state_ = State::kText;
    // The last string may in fact be text.
    if (json_.last_string() > 0) reply.at = begin_ + json_.last_string() + 1;
    return;
  }
  state_ = State::kDone;
  if (broken) {
    out.reject_at(begin_, reply.at, CallProblem::Kind::kNotJson, std::string(json_.expected()));
  } else {
    out.reject_end(begin_, std::string(json_.expected()));
  }
}

Step JsonCallReader::read_block(ReplyText& reply, CallCollector&) {
  if (!reply.skip_blanks()) return Step::kWait;
  const char c = reply.text()[reply.at];
  state_ = State::kText;
  if (c == '{') {
    mark_ = CallMark::kMarker;
  } else if (begins_name(c)) {
    begin_ = reply.at;
    python_ = PythonExtent();
    state_ = State::kPython;
  }
  return Step::kOn;
}

Step JsonCallReader::read_python(ReplyText& reply, CallCollector& out) {
  for (; !reply.at_edge(); ++reply.at) {
    const JsonExtent::State state = python_.take(reply.text()[reply.at]);
    if (state == JsonExtent::State::kOpen) continue;
    if (state == JsonExtent::State::kBroken) {
      out.reject_at(begin_, reply.at, CallProblem::Kind::kNotACall,
                    std::string(python_.expected()));
      state_ = State::kText;
    } else {
      ++reply.at;
      take_python(reply, out);
    }
    return Step::kOn;
  }
  if (!reply.ended()) return Step::kWait;
  out.reject_end(begin_, std::string(python_.expected()));
  state_ = State::kDone;
  return Step::kOn;
}

void JsonCallReader::take_python(ReplyText& reply, CallCollector& out) {
  state_ = many_ ? State::kBlock : State::kText;
  auto read = read_python_call(reply.text().substr(begin_, reply.at - begin_));
  if (auto* call = std::get_if<WrittenCall>(&read)) {
    out.add_call({begin_, reply.at}, std::move(*call));
    return;
  }
  const auto& fault = std::get<JsonFault>(read);
  const std::size_t at = std::min(begin_ + fault.at, reply.at - 1);
  out.reject_at(begin_, at, CallProblem::Kind::kNotACall, fault.expected);
}

// Rejects a reply that is an object without a call, because it was meant as one.
void JsonCallReader::finish(CallCollector& out) {
  if (!alone_ || !out.empty()) return;
  out.reject(*alone_,
             {CallProblem::Kind::kNotACall, "1:1",
              R"("tool" and "args", or "name" and "arguments")", "an object without them"});
}

}  // namespace pedro
