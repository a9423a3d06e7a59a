#include "messages_api/model_reply.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "call_parser/argument_text.h"
#include "call_parser/call_scan.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownNameBytes = 80;

// Returns a tool's name for an error's place.
std::string shown_name(const RequestedCall& call) {
  return make_printable(truncate_utf8(call.name, kMaxShownNameBytes));
}

// Reads the arguments like a reply that contains only them.
CallPart check_call(const RequestedCall& call, std::string_view arguments, const KnownTools& tools,
                    const CallLimits& limits) {
  ReplyText text;
  text.append(arguments);
  text.end();
  CallCollector out(text, tools, limits);
  ValueReader value;
  value.begin(text, 0);
  if (text.text().size() > limits.max_bytes) {
    out.reject_length();
  } else if (value.read(text, out) == ValueReader::State::kRead) {
    if (text.skip_blanks()) {
      out.reject_at(0, text.at, CallProblem::Kind::kNotJson, "nothing after the value");
    } else {
      out.add_arguments({}, call.name, call.id, value.value());
    }
  }
  out.finish();
  CallPart part = out.parts().front();
  if (auto* rejected = std::get_if<RejectedText>(&part)) {
    const CallProblem::Kind kind = rejected->problem.kind;
    const bool in_text = kind == CallProblem::Kind::kNotJson ||
                         kind == CallProblem::Kind::kNotClosed ||
                         kind == CallProblem::Kind::kTooLong;
    if (in_text) rejected->problem.place = shown_name(call) + ": " + rejected->problem.place;
    rejected->where = {};
  }
  return part;
}

// Reads the arguments, else the only object in them.
CallPart check_call(const RequestedCall& call, const KnownTools& tools, const CallLimits& limits) {
  if (call.name.empty()) {
    return RejectedText{{},
                        {CallProblem::Kind::kNotACall, "/name", "the name of a tool", "nothing"}};
  }
  CallPart part =
      check_call(call, trim(call.arguments).empty() ? "{}" : call.arguments, tools, limits);
  const auto* rejected = std::get_if<RejectedText>(&part);
  const bool is_long = call.arguments.size() > limits.max_bytes;
  const bool has_form = rejected == nullptr ||
                        rejected->problem.kind == CallProblem::Kind::kBadArguments ||
                        rejected->problem.kind == CallProblem::Kind::kUnknownTool;
  if (has_form || is_long) return part;
  const std::string object = only_object_in(call.arguments);
  return object.empty() ? part : check_call(call, object, tools, limits);
}

}  // namespace

std::string_view to_string(StopCause reason) {
  constexpr std::string_view kNames[] = {"not-said", "end", "calls", "length", "refused", "other"};
  return kNames[static_cast<int>(reason)];
}

std::vector<CallPart> check_calls(std::span<const RequestedCall> calls, const KnownTools& tools,
                                  const CallLimits& limits) {
  std::vector<CallPart> parts;
  for (const RequestedCall& call : calls) {
    const bool is_blank = call.name.empty() && trim(call.arguments).empty();
    if (is_blank && calls.size() > 1) continue;
    if (parts.size() == limits.max_calls) {
      parts.push_back(
          RejectedText{{},
                       {CallProblem::Kind::kTooMany, shown_name(call),
                        fmt::format("at most {} calls", limits.max_calls), "one more"}});
      break;
    }
    parts.push_back(check_call(call, tools, limits));
  }
  return parts;
}

}  // namespace pedro
