#include "agent/summarizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "json_schema/schema.h"

namespace pedro {
namespace {

constexpr std::string_view kTool = "summary";
constexpr std::string_view kText = "text";
// The size of a call around its text.
constexpr long long kCallTokens = 48;
constexpr long long kFewestTokens = 64;
constexpr long long kCharactersPerToken = 4;

Json schema_of(long long tokens) {
  return {{"type", "object"},
          {"properties",
           {{kText,
             {{"type", "string"}, {"minLength", 1}, {"maxLength", tokens * kCharactersPerToken}}}}},
          {"required", {kText}},
          {"additionalProperties", false}};
}

// Returns the text of the call. A model may also call where text is required.
std::string summary_in(const Reply& reply, SummaryForm form) {
  if (form == SummaryForm::kText && reply.parts.empty()) return std::string(trim(reply.text));
  if (reply.parts.size() != 1) return "";
  const auto* call = std::get_if<ParsedCall>(&reply.parts.front());
  if (call == nullptr || call->tool != kTool) return "";
  return std::string(trim(text_of(call->args, kText)));
}

}  // namespace

Result<Summary> Summarizer::write(const GenerateRequest& request, MessageId last, long long tokens,
                                  long long room) {
  if (covered_ == last) return summary_;
  Result<Summary> summary = ask(request, tokens, room);
  if (!summary) return summary;
  covered_ = last;
  summary_ = *summary;
  summary_.usage = {};
  return summary;
}

Result<Summary> Summarizer::ask(const GenerateRequest& request, long long tokens, long long room) {
  const Json json = schema_of(tokens);
  PEDRO_TRY(const Schema schema, parse_schema(json));
  const std::array<CallBranch, 1> calls = {
      CallBranch{.tool = std::string(kTool), .action = "", .args = &schema, .args_json = &json}};
  ChatRequest chat = request.chat;
  const bool is_text = form_ == SummaryForm::kText;
  chat.messages.push_back(
      text_message(Role::kUser, feedback_.text(is_text ? "summarize_as_text" : "summarize",
                                               {{"words", std::to_string(tokens * 2 / 3)}})));
  const long long question = model_.count_text(text_of(chat.messages.back()));
  const long long most = std::min(tokens + kCallTokens, room - question - kCallTokens);
  if (most < kFewestTokens) return Summary{"", "there is no room for it", {}};
  const Result<Reply> reply = model_.ask_aside(
      {.chat = chat,
       .calls = is_text ? std::span<const CallBranch>() : std::span<const CallBranch>(calls),
       .mode = is_text ? GenerationMode::kUnconstrained : request.mode,
       .temperature = request.temperature,
       .max_tokens = most});
  if (!reply) {
    if (reply.error().kind == ErrorKind::kInterrupted) return reply.error();
    return Summary{"", reply.error().message, {}};
  }
  if (reply->stop != StopReason::kEnd) {
    return Summary{"", fmt::format("it did not end within {} tokens", most), reply->usage};
  }
  Summary summary{summary_in(*reply, form_), "", reply->usage};
  if (!summary.text.empty()) return summary;
  summary.problem = is_text ? "the reply has no text" : "the reply was not a call with a text";
  return summary;
}

}  // namespace pedro
