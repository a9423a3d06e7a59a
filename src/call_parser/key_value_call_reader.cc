#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"

namespace pedro {
namespace {

using Look = ReplyText::Look;

constexpr std::string_view kArgKey = "<arg_key>";
constexpr std::string_view kArgKeyEnd = "</arg_key>";
constexpr std::string_view kArgValue = "<arg_value>";
constexpr std::string_view kArgValueEnd = "</arg_value>";
constexpr std::string_view kToolName = "the tool's name";
constexpr std::string_view kKeyOrEnd = "<arg_key> or </tool_call>";

/// Reads calls of GLM since 4.5, Laguna, Ling 3 and Spark 2.5: a name, then keys and values in
/// tags. Texts are not escaped:
///
///   <tool_call>f
///   <arg_key>x</arg_key>
///   <arg_value>1</arg_value>
///   </tool_call>
///
/// The line ends between tags and the last tag are optional. A text includes its blanks. It ends at
/// an </arg_value> that <arg_key>, </tool_call> or the next call follows. If the text contains an
/// <arg_key>, the one after it must name an unused parameter of the tool. Without </arg_value>, a
/// text ends at a line that begins with such an <arg_key>. A line that begins with </tool_call>
/// before the next call or the end also ends it. An </arg_value> after a call shows that a text was
/// truncated, and rejects all calls.
class KeyValueCallReader : public StateReader<KeyValueCallReader> {
 public:
  KeyValueCallReader() : StateReader(&KeyValueCallReader::find, {kToolCallEnd, kToolCall}) {}

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);  // after <tool_call>
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_between(ReplyText& reply, CallCollector& out);  // after the name or a value
  Step read_key(ReplyText& reply, CallCollector& out);      // after <arg_key>
  Step read_key_end(ReplyText& reply, CallCollector& out);  // after </arg_key>
  Step read_value(ReplyText& reply, CallCollector& out);    // after <arg_value>
  Step end_value(ReplyText& reply, std::size_t tag_bytes);
  Step end_call(std::size_t end, CallCollector& out);
  ReplyText::Look ends_value(const ReplyText& reply, const KnownTools& tools);
  ReplyText::Look ends_call(const ReplyText& reply);
  ReplyText::Look begins_next(const ReplyText& reply, std::size_t at,
                              const KnownTools& tools) const;

  MarkerSearch markers_{{"<tool_call>", "</arg_value>"}};
  std::size_t end_ = 0;  // of the part of the open call that was read
  NameReader name_;
  std::string tool_;
  std::string key_;
  std::size_t text_begin_ = 0;
  NextNonBlank after_value_;
  NextNonBlank after_call_;
  bool opens_in_value_ = false;  // an <arg_key> that is part of the value
  bool had_values_ = false;      // an earlier call had values
  std::vector<WrittenArgument> written_;
};

Step KeyValueCallReader::find(ReplyText& reply, CallCollector& out) {
  const int found = markers_.next(reply, out);
  if (found < 0) return Step::kWait;
  if (found == 1) {
    if (had_values_) {
      out.reject_calls(reply.at, "no </arg_value> after a call");
      state_ = &KeyValueCallReader::ignore_rest;
    }
    reply.at += kArgValueEnd.size();
    return Step::kOn;
  }
  found_any_ = true;
  begin_ = reply.at;
  reply.at += kToolCall.size();
  written_.clear();
  return go(&KeyValueCallReader::read_opened);
}

Step KeyValueCallReader::read_opened(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) return reject_at_end(reply, out, kToolName);
  const Look twice = reply.look(reply.at, kToolCall);
  if (twice == Look::kMore) return Step::kWait;
  name_.begin(reply);
  return go(twice == Look::kYes ? &KeyValueCallReader::find : &KeyValueCallReader::read_name);
}

// Reads the name, which ends at a line end or a tag.
Step KeyValueCallReader::read_name(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "\n<{")) {
    if (!name_.fails(reply)) return Step::kWait;
    return reject(out, std::string(name_.too_long(reply) ? kToolName : kKeyOrEnd));
  }
  tool_ = name_.name(reply);
  if (tool_.empty()) return reject(out, std::string(kToolName));
  end_ = reply.at;
  return go(&KeyValueCallReader::read_between);
}

Step KeyValueCallReader::read_between(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) {
    if (!reply.ended()) return Step::kWait;
    if (!written_.empty()) return end_call(end_, out);
    return reject(out, std::string(kKeyOrEnd));
  }
  constexpr std::array<std::string_view, 3> kTags = {kArgKey, kToolCallEnd, kToolCall};
  switch (look_at_any(reply, kTags)) {
    case -2:
      return Step::kWait;
    case 0:
      if (written_.size() >= kMaxParameters) return reject(out, "fewer parameters");
      reply.at += kArgKey.size();
      name_.begin(reply);
      return go(&KeyValueCallReader::read_key);
    case 1:
      reply.at += kToolCallEnd.size();
      return end_call(reply.at, out);
    case 2:
      return end_call(end_, out);
    default:
      return reject(out, std::string(kKeyOrEnd));
  }
}

Step KeyValueCallReader::end_call(std::size_t end, CallCollector& out) {
  out.add_call({begin_, end}, {tool_, "", out.tools().typed(tool_, written_)});
  had_values_ = had_values_ || !written_.empty();
  return go(&KeyValueCallReader::find);
}

Step KeyValueCallReader::read_key(ReplyText& reply, CallCollector& out) {
  const std::string expected = "</arg_key> after the name";
  if (!name_.read(reply, "\n<")) {
    return name_.fails(reply) ? reject(out, expected) : Step::kWait;
  }
  key_ = name_.name(reply);
  if (key_.empty()) return reject(out, "a name");
  if (was_written(written_, key_)) return reject(out, "each parameter once");
  const Look seen = reply.look(reply.at, kArgKeyEnd);
  if (seen == Look::kMore) return Step::kWait;
  if (seen == Look::kNo) return reject(out, expected);
  reply.at += kArgKeyEnd.size();
  return go(&KeyValueCallReader::read_key_end);
}

Step KeyValueCallReader::read_key_end(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks() && !reply.ended()) return Step::kWait;
  const Look seen = reply.look(reply.at, kArgValue);
  if (seen == Look::kMore) return Step::kWait;
  if (seen == Look::kNo) return reject(out, std::string(kArgValue));
  reply.at += kArgValue.size();
  text_begin_ = reply.at;
  opens_in_value_ = false;
  return go(&KeyValueCallReader::read_value);
}

// Returns kYes if "</tool_call>" at the read position ends the call without "</arg_value>".
Look KeyValueCallReader::ends_call(const ReplyText& reply) {
  const std::size_t at = after_call_.find(reply, reply.at + kToolCallEnd.size());
  if (at == reply.text().size()) return reply.ended() ? Look::kYes : Look::kMore;
  return reply.look(at, kToolCall);
}

// Returns kYes if the call continues after "</arg_value>". Accepts any name in the next
// "<arg_key>", unless the value itself contains an "<arg_key>".
Look KeyValueCallReader::ends_value(const ReplyText& reply, const KnownTools& tools) {
  constexpr std::array<std::string_view, 3> kNext = {kArgKey, kToolCallEnd, kToolCall};
  const std::size_t at = after_value_.find(reply, reply.at + kArgValueEnd.size());
  if (at == reply.text().size()) return reply.ended() ? Look::kYes : Look::kMore;
  const int found = look_at_any(reply, at, kNext);
  if (found < 0) return found == -2 ? Look::kMore : Look::kNo;
  const bool may_quote = found == 0 && opens_in_value_ && !tools.empty();
  return may_quote ? begins_next(reply, at, tools) : Look::kYes;
}

// Returns kYes if the "<arg_key>" at byte `at` begins another parameter of the tool.
Look KeyValueCallReader::begins_next(const ReplyText& reply, std::size_t at,
                                     const KnownTools& tools) const {
  const std::string_view after =
      reply.text().substr(at + kArgKey.size(), NameReader::kMaxBytes + 1);
  const std::size_t end = after.find_first_of("<\n");
  if (end == std::string_view::npos) {
    return reply.ended() || after.size() > NameReader::kMaxBytes ? Look::kNo : Look::kMore;
  }
  const std::string_view name = trim(after.substr(0, end));
  if (name == key_ || was_written(written_, name) || !tools.declares(tool_, name)) return Look::kNo;
  return reply.look(at + kArgKey.size() + end, kArgKeyEnd);
}

Step KeyValueCallReader::end_value(ReplyText& reply, std::size_t tag_bytes) {
  std::string_view text = reply.text().substr(text_begin_, reply.at - text_begin_);
  if (tag_bytes == 0 && text.ends_with('\n')) text.remove_suffix(1);
  written_.push_back({key_, std::string(text)});
  reply.at += tag_bytes;
  end_ = reply.at;
  return go(&KeyValueCallReader::read_between);
}

Step KeyValueCallReader::read_value(ReplyText& reply, CallCollector& out) {
  constexpr std::array<std::string_view, 3> kEnds = {kArgValueEnd, kArgKey, kToolCallEnd};
  const int found = reply.seek(kEnds);
  if (found < 0) return reject_at_end(reply, out, kArgValueEnd);
  Look ends = Look::kNo;
  if (found == 0) {
    ends = ends_value(reply, out.tools());
  } else if (reply.text()[reply.at - 1] == '\n') {
    ends = found == 1 ? begins_next(reply, reply.at, out.tools()) : ends_call(reply);
  }
  if (ends == Look::kMore) return Step::kWait;
  if (ends == Look::kYes) return end_value(reply, found == 0 ? kArgValueEnd.size() : 0);
  opens_in_value_ = opens_in_value_ || found == 1;
  ++reply.at;
  return Step::kOn;
}

}  // namespace

std::unique_ptr<CallReader> new_key_value_reader() {
  return std::make_unique<KeyValueCallReader>();
}

}  // namespace pedro
