#include "format/tag_call_reader.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace pedro {
namespace {

using Look = ReplyText::Look;

constexpr std::string_view kFunction = "<function=";
constexpr std::string_view kFunctionEnd = "</function>";
constexpr std::string_view kParameter = "<parameter=";
constexpr std::string_view kParameterEnd = "</parameter>";

std::string_view without_newlines(std::string_view text) {
  if (text.starts_with("\r\n")) text.remove_prefix(1);
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) {
    text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
  }
  return text;
}

}  // namespace

void TagCallReader::read(ReplyText& reply, CallCollector& out) {
  while (!out.full() && step(reply, out) == Step::kOn) {
  }
}

Step TagCallReader::step(ReplyText& reply, CallCollector& out) {
  switch (state_) {
    case State::kText:
      return find(reply, out);
    case State::kOpened:
      return read_opened(reply, out);
    case State::kJson:
      return read_json(reply, out);
    case State::kBehindJson:
      return read_after_json(reply);
    case State::kName:
      return read_name(reply, out);
    case State::kFunction:
      return read_function(reply, out);
    case State::kKey:
      return read_key(reply, out);
    case State::kValue:
      return read_value(reply, out);
    case State::kSkip:
      return skip(reply);
    case State::kSpoilt:
      reply.at = reply.text().size();
      return Step::kWait;
  }
  return Step::kWait;
}

Step TagCallReader::find(ReplyText& reply, CallCollector& out) {
  const int found = markers_.next(reply, out);
  if (found < 0) return Step::kWait;
  if (found == 2) {
    if (had_values_) {
      out.reject_calls(reply.at, "no </parameter> after a call");
      state_ = State::kSpoilt;
    }
    reply.at += kParameterEnd.size();
    return Step::kOn;
  }
  found_any_ = true;
  begin_ = reply.at;
  if (found == 0) {
    reply.at += kToolCall.size();
    state_ = State::kOpened;
  } else {
    begin_function(reply);
  }
  return Step::kOn;
}

void TagCallReader::begin_function(ReplyText& reply) {
  reply.at += kFunction.size();
  name_.begin(reply);
  written_.clear();
  function_end_ = 0;
  state_ = State::kName;
}

// Rejects the call and ignores everything up to its end.
Step TagCallReader::reject(CallCollector& out, std::string expected) {
  out.reject_here(begin_, CallProblem::Kind::kNotACall, std::move(expected));
  state_ = State::kSkip;
  return Step::kOn;
}

Step TagCallReader::skip(ReplyText& reply) {
  constexpr std::array<std::string_view, 2> kEnds = {kToolCallEnd, kToolCall};
  if (reply.seek(kEnds) < 0) return Step::kWait;
  state_ = State::kText;
  return Step::kOn;
}

Step TagCallReader::read_opened(ReplyText& reply, CallCollector& out) {
  const std::string expected = "'{' or <function=";
  if (!reply.skip_blanks()) {
    return reply.ended() ? reject(out, expected) : Step::kWait;
  }
  constexpr std::array<std::string_view, 3> kNext = {kFunction, kToolCall, "{"};
  switch (look_at_any(reply, kNext)) {
    case -2:
      return Step::kWait;
    case 0:
      begin_function(reply);
      return Step::kOn;
    case 1:
      state_ = State::kText;  // the tag was written twice
      return Step::kOn;
    case 2:
      value_.begin(reply, begin_);
      state_ = State::kJson;
      return Step::kOn;
    default:
      return reject(out, expected);
  }
}

Step TagCallReader::read_json(ReplyText& reply, CallCollector& out) {
  const ValueReader::State state = value_.read(reply, out);
  if (state == ValueReader::State::kMore) return Step::kWait;
  state_ = State::kSkip;
  if (state == ValueReader::State::kRead) {
    out.add_value(value_.where(), value_.value(), CallMark::kMarker);
    state_ = State::kBehindJson;
  }
  return Step::kOn;
}

Step TagCallReader::read_after_json(ReplyText& reply) {
  if (!reply.skip_blanks()) return Step::kWait;
  state_ = State::kText;
  if (reply.rest().starts_with('{')) {
    begin_ = reply.at;
    value_.begin(reply, begin_);
    state_ = State::kJson;
  }
  return Step::kOn;
}

// Reads a name up to '>'.
Step TagCallReader::read_in_brackets(ReplyText& reply, CallCollector& out, std::string& name,
                                     State next) {
  if (!name_.read(reply, ">\n<")) {
    if (!reply.at_edge() || name_.too_long(reply) || reply.ended()) {
      return reject(out, "'>' after the name");
    }
    return Step::kWait;
  }
  name = name_.name(reply);
  if (name.empty() || reply.text()[reply.at] != '>') {
    return reject(out, name.empty() ? "a name" : "'>' after the name");
  }
  ++reply.at;
  state_ = next;
  return Step::kOn;
}

Step TagCallReader::read_name(ReplyText& reply, CallCollector& out) {
  const Step step = read_in_brackets(reply, out, tool_, State::kFunction);
  end_ = reply.at;
  return step;
}

Step TagCallReader::end_call(std::size_t end, CallCollector& out) {
  out.add_call({begin_, end}, {tool_, "", out.tools().typed(tool_, written_)});
  had_values_ = had_values_ || !written_.empty();
  state_ = State::kText;
  return Step::kOn;
}

Step TagCallReader::read_function(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) {
    if (!reply.ended()) return Step::kWait;
    if (!written_.empty()) return end_call(end_, out);
    return reject(out, "<parameter= or </function>");
  }
  constexpr std::array<std::string_view, 5> kNext = {kParameter, kFunctionEnd, kToolCallEnd,
                                                     kToolCall, kFunction};
  switch (look_at_any(reply, kNext)) {
    case -2:
      return Step::kWait;
    case 0:
      if (written_.size() >= kMaxParameters) return reject(out, "fewer parameters");
      reply.at += kParameter.size();
      name_.begin(reply);
      state_ = State::kKey;
      return Step::kOn;
    case 1:
      reply.at = std::max(reply.at + kFunctionEnd.size(), function_end_);
      return end_call(reply.at, out);
    case 2:
      reply.at += kToolCallEnd.size();
      return end_call(reply.at, out);
    case 3:
    case 4:
      return end_call(end_, out);
    default:
      return reject(out, "<parameter= or </function>");
  }
}

Step TagCallReader::read_key(ReplyText& reply, CallCollector& out) {
  const Step step = read_in_brackets(reply, out, key_, State::kValue);
  text_begin_ = reply.at;
  opens_in_value_ = false;
  const bool twice = std::any_of(written_.begin(), written_.end(),
                                 [&](const auto& pair) { return pair.first == key_; });
  if (state_ != State::kValue || !twice) return step;
  --reply.at;
  return reject(out, "each parameter once");
}

bool TagCallReader::at_line_start(const ReplyText& reply) const {
  return reply.at == text_begin_ || reply.text()[reply.at - 1] == '\n';
}

// Returns kYes if "</function>" at byte `at` ends the call: another call, a closing tag or the end
// follows.
Look TagCallReader::ends_call(const ReplyText& reply, std::size_t at,
                              std::span<const std::string_view> after) {
  at = after_function_.find(reply, at + kFunctionEnd.size());
  if (at == reply.text().size()) return reply.ended() ? Look::kYes : Look::kMore;
  const int found = look_at_any(reply, at, after);
  if (found == -2) return Look::kMore;
  if (found >= 0) function_end_ = after[found] == kToolCallEnd ? at + kToolCallEnd.size() : 0;
  return found >= 0 ? Look::kYes : Look::kNo;
}

// Returns kYes if the call continues after "</parameter>". Accepts any name in the next
// "<parameter=", unless the value itself contains a "<parameter=".
Look TagCallReader::ends_value(const ReplyText& reply, const KnownTools& tools) {
  constexpr std::array<std::string_view, 3> kNext = {kParameter, kFunctionEnd, kToolCallEnd};
  constexpr std::array<std::string_view, 2> kBehind = {kToolCallEnd, kFunction};
  const std::size_t at = after_value_.find(reply, reply.at + kParameterEnd.size());
  if (at == reply.text().size()) return reply.ended() ? Look::kYes : Look::kMore;
  switch (look_at_any(reply, at, kNext)) {
    case -2:
      return Look::kMore;
    case 0:
      return opens_in_value_ && !tools.empty() ? begins_next(reply, at, tools) : Look::kYes;
    case 1:
      return ends_call(reply, at, kBehind);
    case 2:
      return Look::kYes;
    default:
      return Look::kNo;
  }
}

// Returns kYes if "<parameter=" at byte `at` begins another parameter of the tool.
Look TagCallReader::begins_next(const ReplyText& reply, std::size_t at,
                                const KnownTools& tools) const {
  const std::string_view after =
      reply.text().substr(at + kParameter.size(), NameReader::kMaxBytes + 1);
  const std::size_t end = after.find_first_of(">\n");
  if (end == std::string_view::npos) {
    return reply.ended() || after.size() > NameReader::kMaxBytes ? Look::kNo : Look::kMore;
  }
  const std::string_view name = trim(after.substr(0, end));
  const bool written = name == key_ || std::any_of(written_.begin(), written_.end(),
                                                   [&](auto& pair) { return pair.first == name; });
  return after[end] == '>' && !written && tools.declares(tool_, name) ? Look::kYes : Look::kNo;
}

Step TagCallReader::end_value(ReplyText& reply, std::size_t tag_bytes, State next) {
  written_.emplace_back(key_,
                        without_newlines(reply.text().substr(text_begin_, reply.at - text_begin_)));
  reply.at += tag_bytes;
  end_ = reply.at;
  state_ = next;
  return Step::kOn;
}

Step TagCallReader::read_value(ReplyText& reply, CallCollector& out) {
  constexpr std::array<std::string_view, 3> kEnds = {kParameterEnd, kParameter, kFunctionEnd};
  constexpr std::array<std::string_view, 1> kBehindUnclosed = {kToolCallEnd};
  const int found = reply.seek(kEnds);
  if (found < 0) return reply.ended() ? reject(out, "</parameter>") : Step::kWait;
  Look ends = Look::kNo;
  if (found == 0) {
    ends = ends_value(reply, out.tools());
  } else if (at_line_start(reply)) {
    ends = found == 1 ? begins_next(reply, reply.at, out.tools())
                      : ends_call(reply, reply.at, kBehindUnclosed);
  }
  if (ends == Look::kMore) return Step::kWait;
  if (ends == Look::kYes) {
    return end_value(reply, found == 0 ? kParameterEnd.size() : 0, State::kFunction);
  }
  opens_in_value_ = opens_in_value_ || found == 1;
  ++reply.at;
  return Step::kOn;
}

}  // namespace pedro
