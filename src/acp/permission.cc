#include "acp/permission.h"

namespace pedro::acp {
namespace {

constexpr const char* kYesId = "yes";
constexpr const char* kAlwaysId = "always";
constexpr const char* kNoId = "no";

Json option(const char* id, const std::string& name, const char* kind) {
  return {{"optionId", id}, {"name", name}, {"kind", kind}};
}

}  // namespace

Json permission_request(const std::string& session_id, const std::string& call_id,
                        const Json& question) {
  const Json text = {{"type", "text"}, {"text", text_of(question, "why")}};
  Json content = Json::array();
  content.push_back({{"type", "content"}, {"content", text}});
  Json options = Json::array();
  options.push_back(option(kYesId, "Allow", "allow_once"));
  options.push_back(option(kAlwaysId, "Always allow in this job: " + text_of(question, "always"),
                           "allow_always"));
  options.push_back(option(kNoId, "Refuse", "reject_once"));
  return {{"sessionId", session_id},
          {"toolCall",
           {{"toolCallId", call_id},
            {"title", text_of(question, "what")},
            {"status", "pending"},
            {"content", std::move(content)}}},
          {"options", std::move(options)}};
}

std::string permission_answer(const Json& result) {
  const Json& outcome = member(result, "outcome");
  if (text_of(outcome, "outcome") != "selected") return kNoId;
  const std::string id = text_of(outcome, "optionId");
  return id == kYesId || id == kAlwaysId ? id : kNoId;
}

}  // namespace pedro::acp
