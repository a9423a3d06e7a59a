#include "agent/summarizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "grammar/schema.h"

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

std::string text_in(const Reply& reply) {
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
  const Result<Schema> schema = parse_schema(json);
  if (!schema) return schema.error();
  const std::array<CallBranch, 1> calls = {
      CallBranch{.tool = std::string(kTool), .action = "", .args = &*schema, .args_json = &json}};
  ChatRequest chat = request.chat;
  chat.messages.push_back(text_message(
      Role::kUser, feedback_.text("summarize", {{"words", std::to_string(tokens * 2 / 3)}})));
  const long long question = model_.count_text(text_of(chat.messages.back()));
  const long long most = std::min(tokens + kCallTokens, room - question - kCallTokens);
  if (most < kFewestTokens) return Summary{"", "there is no room for it", {}};
  const Result<Reply> reply = model_.ask_aside({.chat = chat,
                                                .calls = calls,
                                                .mode = request.mode,
                                                .temperature = request.temperature,
                                                .max_tokens = most});
  if (!reply) {
    if (reply.error().kind == ErrorKind::kInterrupted) return reply.error();
    return Summary{"", reply.error().message, {}};
  }
  Summary summary{text_in(*reply), "", reply->usage};
  if (!summary.text.empty()) return summary;
  summary.problem = reply->stop != StopReason::kEnd
                        ? fmt::format("it did not end within {} tokens", most)
                        : "the reply was not a call with a text";
  return summary;
}

}  // namespace pedro
