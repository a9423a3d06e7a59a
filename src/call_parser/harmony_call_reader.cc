#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"

namespace pedro {
namespace {

constexpr std::string_view kStart = "<|start|>";
constexpr std::string_view kChannel = "<|channel|>";
constexpr std::string_view kMessage = "<|message|>";
constexpr std::string_view kFunctions = "functions.";
constexpr std::size_t kMaxHeadBytes = 1024;

// Returns a head without the text before it, which only the first one can have.
std::string_view marked_part(std::string_view head) {
  if (head.starts_with("to=") || head.starts_with(" to=") || head.starts_with("<|")) return head;
  const std::size_t channel = head.find(kChannel);
  return channel == std::string_view::npos ? std::string_view() : head.substr(channel);
}

// Returns the recipient of a message: the word after "to=" in the head.
std::string recipient_of(std::string_view head) {
  for (std::size_t at = head.find("to="); at < head.size(); at = head.find("to=", at + 1)) {
    if (at > 0 && head[at - 1] != ' ' && head[at - 1] != '>') continue;
    std::string_view name = head.substr(at + 3);
    name = name.substr(0, name.find_first_of(" <\t\r\n"));
    if (name.starts_with(kFunctions)) name.remove_prefix(kFunctions.size());
    return std::string(name);
  }
  return "";
}

/// Reads calls of gpt-oss. These are messages to a function,
///
///   <|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{"x": 1}<|call|>
///
/// in any channel. `to=` may also precede <|channel|>. "functions." is optional. Messages without a
/// recipient are text or thinking and contain no calls. The first message may lack its beginning,
/// because the prompt contains it.
class HarmonyCallReader : public StateReader<HarmonyCallReader> {
 public:
  HarmonyCallReader() : StateReader(&HarmonyCallReader::find) {
    state_ = &HarmonyCallReader::read_head;
  }

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_head(ReplyText& reply, CallCollector& out);
  Step take_head(ReplyText& reply, const std::string& tool);
  Step read_body(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);

  ValueReader value_;
  std::string tool_;
};

Step HarmonyCallReader::find(ReplyText& reply, CallCollector&) {
  constexpr std::array<std::string_view, 2> kHeads = {kStart, kChannel};
  const int found = reply.seek(kHeads);
  if (found < 0) return Step::kWait;
  begin_ = reply.at;
  reply.at += kHeads[static_cast<std::size_t>(found)].size();
  return go(&HarmonyCallReader::read_head);
}

// Reads up to <|message|>. After another marker, a new message follows.
Step HarmonyCallReader::read_head(ReplyText& reply, CallCollector& out) {
  constexpr std::array<std::string_view, 5> kMarkers = {kMessage, kStart, "<|end|>", "<|call|>",
                                                        "<|return|>"};
  const int found = reply.seek(kMarkers, begin_ + kMaxHeadBytes);
  const bool too_long = reply.at - begin_ == kMaxHeadBytes && !reply.at_edge();
  if (found < 0 && !reply.ended() && !too_long) return Step::kWait;
  const std::string tool =
      recipient_of(marked_part(reply.text().substr(begin_, reply.at - begin_)));
  state_ = &HarmonyCallReader::find;
  if (found == 0) return take_head(reply, tool);
  if (tool.empty()) return Step::kOn;
  found_any_ = true;
  out.reject_here(begin_, CallProblem::Kind::kNotACall, std::string(kMessage));
  return Step::kOn;
}

Step HarmonyCallReader::take_head(ReplyText& reply, const std::string& tool) {
  found_any_ = true;
  reply.at += kMessage.size();
  if (tool.empty()) return Step::kOn;
  tool_ = tool;
  value_.begin(reply, begin_);
  return go(&HarmonyCallReader::read_body);
}

// A message without a body calls a tool without arguments.
Step HarmonyCallReader::read_body(ReplyText& reply, CallCollector& out) {
  constexpr std::array<std::string_view, 2> kEnds = {"<|call|>", "<|end|>"};
  state_ = &HarmonyCallReader::read_json;
  const std::size_t end = reply.at;
  if (!reply.skip_blanks()) {
    state_ = reply.ended() ? &HarmonyCallReader::read_json : &HarmonyCallReader::read_body;
    reply.at = end;
    return reply.ended() ? Step::kOn : Step::kWait;
  }
  const int found = look_at_any(reply, kEnds);
  const std::size_t at = std::exchange(reply.at, end);
  if (found == -2) state_ = &HarmonyCallReader::read_body;
  if (found < 0) return found == -2 ? Step::kWait : Step::kOn;
  const std::size_t marker = kEnds[static_cast<std::size_t>(found)].size();
  out.add_arguments({begin_, at + marker}, tool_, "", Json::object());
  return go(&HarmonyCallReader::find);
}

Step HarmonyCallReader::read_json(ReplyText& reply, CallCollector& out) {
  const ValueReader::State state = value_.read(reply, out);
  if (state == ValueReader::State::kMore) return Step::kWait;
  state_ = &HarmonyCallReader::find;
  if (state == ValueReader::State::kRead) {
    out.add_arguments(value_.where(), tool_, "", value_.value());
  }
  return Step::kOn;
}

}  // namespace

std::unique_ptr<CallReader> new_harmony_reader() {
  return std::make_unique<HarmonyCallReader>();
}

}  // namespace pedro
