#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"
#include "call_parser/python_call.h"

namespace pedro {
namespace {

constexpr std::string_view kPythonTag = "<|python_tag|>";
constexpr std::string_view kToolCode = "```tool_code";
constexpr std::string_view kPythonCalls = "<|tool_call_start|>";
constexpr std::string_view kList = "[";
constexpr std::size_t kMaxFailedBytes = 1U << 20U;

std::vector<std::string_view> with_brace(const std::vector<std::string_view>& markers) {
  std::vector<std::string_view> all{"{"};
  all.insert(all.end(), markers.begin(), markers.end());
  return all;
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

/// Reads calls that are JSON objects anywhere in a text: alone, in arrays, in code blocks or in
/// other objects. A marker may precede an object or calls in Python: <|python_tag|> (llama) or
/// ```tool_code (gemma). Before a list in brackets it is <|tool_call_start|> (python).
///
/// Servers remove the last marker. A list at the start of a line then counts if its calls have the
/// names of known tools. Otherwise it is text.
///
/// Braces outside JSON are text. A cut or broken object with "tool", "args", "arguments" or
/// "parameters" was meant as a call and is rejected. No calls are read after it, because the rest
/// may be its content.
class JsonCallReader : public StateReader<JsonCallReader> {
 public:
  /// `many`: a block can have several calls in Python.
  explicit JsonCallReader(std::vector<std::string_view> markers = {}, bool many = false)
      : StateReader(&JsonCallReader::find),
        markers_(std::move(markers)),
        search_(with_brace(markers_)),
        many_(many) {
    found_any_ = true;  // no other syntax is a fallback
  }

  void read(ReplyText& reply, CallCollector& out) override;

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_object(ReplyText& reply, CallCollector& out);
  void take_object(ReplyText& reply, CallCollector& out);
  void leave_object(ReplyText& reply, CallCollector& out, bool broken);
  Step read_block(ReplyText& reply, CallCollector& out);
  Step read_python(ReplyText& reply, CallCollector& out);
  void take_python(ReplyText& reply, CallCollector& out);
  bool leave_text(ReplyText& reply);
  Step done(ReplyText&, CallCollector&) { return Step::kWait; }
  void finish(CallCollector& out);

  std::vector<std::string_view> markers_;  // before a block of calls
  MarkerSearch search_;
  bool many_;
  bool listed_ = false;           // the block is a list
  bool tentative_ = false;        // the block may be text
  std::size_t failed_bytes_ = 0;  // read again, after lists that were text
  CallMark mark_ = CallMark::kNone;
  JsonExtent json_;
  PythonExtent python_;
  bool first_ = false;              // the object begins the reply
  bool any_ = false;                // an object was found
  std::optional<ByteRange> alone_;  // an object that begins the reply but is not a call
};

void JsonCallReader::read(ReplyText& reply, CallCollector& out) {
  CallReader::read(reply, out);
  if (reply.ended() && !out.full()) finish(out);
}

Step JsonCallReader::find(ReplyText& reply, CallCollector& out) {
  const int found = search_.next(reply, out);
  if (found < 0) return Step::kWait;
  begin_ = reply.at;
  if (found == 0) {
    first_ = !any_ && is_blank(reply.text().substr(0, begin_));
    any_ = true;
    json_ = JsonExtent();
    return go(&JsonCallReader::read_object);
  }
  const std::string_view marker = markers_[static_cast<std::size_t>(found - 1)];
  reply.at += marker.size();
  listed_ = tentative_ = marker == kList;
  const bool in_line = begin_ > 0 && reply.text()[begin_ - 1] != '\n';
  const bool is_text = tentative_ && (in_line || failed_bytes_ > kMaxFailedBytes);
  return go(is_text ? &JsonCallReader::find : &JsonCallReader::read_block);
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
  state_ = &JsonCallReader::find;
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
    state_ = &JsonCallReader::find;
    // The last string may in fact be text.
    if (json_.last_string() > 0) reply.at = begin_ + json_.last_string() + 1;
    return;
  }
  state_ = &JsonCallReader::done;
  if (broken) {
    out.reject_at(begin_, reply.at, CallProblem::Kind::kNotJson, std::string(json_.expected()));
  } else {
    out.reject_end(begin_, std::string(json_.expected()));
  }
}

Step JsonCallReader::read_block(ReplyText& reply, CallCollector&) {
  if (!reply.skip_blanks()) return Step::kWait;
  const char c = reply.text()[reply.at];
  state_ = &JsonCallReader::find;
  if (c == '{') {
    mark_ = tentative_ ? CallMark::kNone : CallMark::kMarker;
  } else if (begins_name(c)) {
    begin_ = reply.at;
    python_ = PythonExtent();
    state_ = &JsonCallReader::read_python;
  } else if (many_ && (c == '[' || (c == ',' && listed_))) {
    listed_ = true;
    ++reply.at;
    state_ = &JsonCallReader::read_block;
  }
  return Step::kOn;
}

Step JsonCallReader::read_python(ReplyText& reply, CallCollector& out) {
  for (; !reply.at_edge(); ++reply.at) {
    const JsonExtent::State state = python_.take(reply.text()[reply.at]);
    if (state == JsonExtent::State::kOpen) continue;
    if (state == JsonExtent::State::kBroken) {
      state_ = &JsonCallReader::find;
      if (leave_text(reply)) return Step::kOn;
      out.reject_at(begin_, reply.at, CallProblem::Kind::kNotACall,
                    std::string(python_.expected()));
    } else {
      ++reply.at;
      take_python(reply, out);
    }
    return Step::kOn;
  }
  if (!reply.ended()) return Step::kWait;
  state_ = &JsonCallReader::done;
  if (leave_text(reply)) return go(&JsonCallReader::find);
  out.reject_end(begin_, std::string(python_.expected()));
  return Step::kOn;
}

// Returns true if a list without a marker is text, and continues after its first byte.
bool JsonCallReader::leave_text(ReplyText& reply) {
  if (!tentative_) return false;
  failed_bytes_ += reply.at - begin_;
  reply.at = begin_ + 1;
  return true;
}

void JsonCallReader::take_python(ReplyText& reply, CallCollector& out) {
  state_ = many_ ? &JsonCallReader::read_block : &JsonCallReader::find;
  auto read = read_python_call(reply.text().substr(begin_, reply.at - begin_));
  if (auto* call = std::get_if<WrittenCall>(&read)) {
    if (tentative_ && !out.tools().empty() && !out.tools().contains(call->tool)) {
      state_ = &JsonCallReader::find;
      return;
    }
    out.add_call({begin_, reply.at}, std::move(*call));
    return;
  }
  if (tentative_) {
    state_ = &JsonCallReader::find;
    (void)leave_text(reply);
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

}  // namespace

std::unique_ptr<CallReader> new_json_reader() {
  return std::make_unique<JsonCallReader>();
}

std::unique_ptr<CallReader> new_llama_reader() {
  return std::make_unique<JsonCallReader>(std::vector{kPythonTag});
}

std::unique_ptr<CallReader> new_gemma_reader() {
  return std::make_unique<JsonCallReader>(std::vector{kToolCode}, true);
}

std::unique_ptr<CallReader> new_python_reader() {
  return std::make_unique<JsonCallReader>(std::vector{kPythonCalls, kList}, true);
}

}  // namespace pedro
