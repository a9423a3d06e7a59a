#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "call_parser/argument_text.h"
#include "call_parser/known_tools.h"
#include "json_schema/repair_value.h"
#include "json_schema/validate.h"
#include "llm/loose_calls.h"
#include "llm/loose_object.h"

namespace pedro {
namespace {

// The rank of a syntax for a text: its valid calls, calls of known tools, and all calls.
struct Findings {
  std::size_t valid = 0;
  std::size_t known = 0;
  std::size_t calls = 0;
  std::vector<CallPart> parts = {};

  bool is_better_than(const Findings& other) const {
    return std::tuple(valid, known, calls, !parts.empty()) >
           std::tuple(other.valid, other.known, other.calls, !other.parts.empty());
  }
};

// Returns true if a call is one of the known ones, after corrections of its name and arguments.
bool is_valid_call(const CallName& name, const Json& args, std::span<const CallBranch> known) {
  const Json all = with_action(name, args);
  return std::any_of(known.begin(), known.end(), [&](const CallBranch& branch) {
    return branch.tool == name.tool &&
           !validate(*branch.args, repair_value(*branch.args, all).value);
  });
}

Findings ranked(std::vector<CallPart> parts, const CallNames& names,
                std::span<const CallBranch> known) {
  Findings found;
  found.parts = std::move(parts);
  for (const CallPart& part : found.parts) {
    const auto* call = std::get_if<ParsedCall>(&part);
    if (call == nullptr) continue;
    ++found.calls;
    const auto name = names.find(call->tool);
    found.known += name ? 1 : 0;
    found.valid += name && is_valid_call(*name, call->args, known) ? 1 : 0;
  }
  return found;
}

enum class TextForm { kAny, kSyntax };

Findings best_of(const std::string& text, std::span<const CallBranch> known, TextForm form) {
  Findings best;
  if (text.empty() || known.empty()) return best;
  const CallNames names = KnownTools(known).names();
  for (const CallSyntax syntax : call_syntaxes()) {
    Findings found = ranked(parse_calls(text, syntax, known, CallChecks::kNothing), names, known);
    if (found.is_better_than(best)) best = std::move(found);
  }
  if (best.valid > 0 || form == TextForm::kSyntax) return best;
  Findings loose = ranked(loose_calls(text, known), names, known);
  return loose.valid > 0 && loose.valid == loose.calls ? loose : best;
}

// Returns the end of the last tag that closes thinking, else 0.
std::size_t thinking_end(std::string_view text) {
  std::size_t end = 0;
  for (const std::string_view tag : {"</think>", "</thinking>", "[/THINK]"}) {
    const std::size_t at = text.rfind(tag);
    if (at != text.npos) end = std::max(end, at + tag.size());
  }
  return end;
}

// Ignores drafts in thinking, whose first tag may be missing, if a valid call or a text follows it.
Findings best_in(const std::string& text, std::span<const CallBranch> known) {
  TextForm form = TextForm::kAny;
  if (const std::size_t end = thinking_end(text); end > 0) {
    Findings after = best_of(std::string(end, ' ') + text.substr(end), known, form);
    if (after.valid > 0) return after;
    if (!trim(std::string_view(text).substr(end)).empty()) form = TextForm::kSyntax;
  }
  return best_of(text, known, form);
}

std::string thinking_of(const ChatMessage& message) {
  std::string text;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kThinking) text += chunk.text;
  }
  return text;
}

}  // namespace

std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known) {
  return best_in(text, known).parts;
}

std::vector<CallPart> valid_calls_in_text(const std::string& text,
                                          std::span<const CallBranch> known) {
  Findings found = best_in(text, known);
  return found.valid == found.parts.size() ? std::move(found.parts) : std::vector<CallPart>();
}

std::vector<CallPart> calls_in_content(const ChatMessage& message,
                                       std::span<const CallBranch> known) {
  std::vector<CallPart> parts = calls_in_text(text_of(message), known);
  return parts.empty() ? valid_calls_in_text(thinking_of(message), known) : parts;
}

void repair_arguments(std::span<RequestedCall> calls) {
  for (RequestedCall& call : calls) {
    const std::string_view text = trim(call.arguments);
    if (!text.starts_with('{') || !only_object_in(text).empty()) continue;
    const LooseObject object = read_loose_object(text, 0);
    const bool is_whole = !object.value.is_null() && object.end == text.size();
    if (is_whole) call.arguments = to_line(object.value);
  }
}

}  // namespace pedro
