#include "llama/fault_case.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "support/read_file.h"
#include "sys/http.h"

namespace pedro {
namespace {

constexpr const char* kMessages = "/v1/chat/completions";
constexpr const char* kKeys[] = {"happening", "variant",  "rules",    "exit",
                                 "left",      "error",    "notice",   "limit_s",
                                 "backend",   "by_model", "settings", "flags"};

FaultCase read_case(const Json& json) {
  FaultCase one;
  for (const auto& [key, value] : json.items()) {
    REQUIRE_MESSAGE(std::find(kKeys, std::end(kKeys), key) != std::end(kKeys), key);
  }
  one.happening = text_of(json, "happening");
  one.variant = text_of(json, "variant");
  one.rules = member(json, "rules");
  one.exit_code = static_cast<int>(number_of(json, "exit"));
  const std::string left = text_of(json, "left");
  constexpr const char* kLefts[] = {"commit", "wip", "nothing", "no job"};
  const auto* const found = std::find(kLefts, std::end(kLefts), left);
  REQUIRE(found != std::end(kLefts));
  one.left = static_cast<Left>(found - kLefts);
  one.error = text_of(json, "error");
  one.notice = text_of(json, "notice");
  if (json.contains("limit_s")) one.limit_s = real_of(json, "limit_s");
  if (json.contains("backend")) one.backend = text_of(json, "backend");
  one.by_model = truth_of(json, "by_model", false);
  for (const Json& flag : member(json, "flags")) one.flags.push_back(flag);
  for (const auto& [name, value] : member(json, "settings").items()) one.settings[name] = value;
  return one;
}

struct Call {
  const char* tool;
  const char* args;
};

constexpr Call kCalls[] = {
    {"phase_complete", R"({"summary": "It returns 1.", "files": ["main.c"]})"},
    {"phase_complete",
     R"({"steps": [{"file": "main.c", "change": "Return 0."}], "test": "make test"})"},
    {"file",
     R"({"action": "replace", "path": "main.c", "old": "return 1;", "new": "return 0;  // fixed"})"},
    {"phase_complete", R"({"summary": "It returns 0 now."})"},
    {"phase_complete", R"({"subject": "Return 0", "body": "It returned 1."})"},
};

constexpr int kEndOfTurn = 151645;  // Qwen's <|im_end|>

/// Matches the requests of a job, but not the probes of the server.
Json reply_rule(const std::string& backend) {
  return {{"path", backend == "llamacpp" ? "/completion" : kMessages}, {"has", "phase_complete"}};
}

std::string gbnf_literal(const std::string& text) {
  return '"' + replace_all(replace_all(text, "\\", "\\\\"), "\"", "\\\"") + '"';
}

Json tokens_of(const std::string& server, const std::string& text) {
  CurlHttp http;
  const auto answer = http.send(
      {.method = "POST", .url = server + "/tokenize", .body = to_line({{"content", text}})}, {},
      CancelToken());
  REQUIRE(answer.ok());
  return member(*parse_json(answer->body), "tokens");
}

/// A llama-server's answer with this text, which follows the start of the reply.
Json native_answer(const std::string& server, const std::string& text) {
  Json tokens = tokens_of(server, text);
  tokens.push_back(kEndOfTurn);
  const Json said = {
      {"content", text}, {"tokens", std::move(tokens)}, {"stop", true}, {"stop_type", "eos"}};
  return {{"headers", {"Content-Type: text/event-stream"}},
          {"body", "data: " + to_line(said) + "\n\n"}};
}

Json message_answer(const Call& call) {
  const Json tool_call = {{"index", 0},
                          {"id", "c1"},
                          {"type", "function"},
                          {"function", {{"name", call.tool}, {"arguments", call.args}}}};
  const Json choice = {{"index", 0},
                       {"delta", {{"tool_calls", Json::array({tool_call})}}},
                       {"finish_reason", "tool_calls"}};
  const Json event = {{"choices", Json::array({choice})}};
  return {{"headers", {"Content-Type: text/event-stream"}},
          {"body", "data: " + to_line(event) + "\n\ndata: [DONE]\n\n"}};
}

Json say(const FaultCase& one, const std::string& server, const Call& call) {
  Json rule = reply_rule(one.backend);
  rule["times"] = 1;
  const std::string rest = fmt::format(R"({}", "arguments": {})", call.tool, call.args);
  if (one.backend != "llamacpp") {
    rule["answer"] = message_answer(call);
  } else if (one.by_model) {
    rule["with"] = {{"grammar", "root ::= " + gbnf_literal(rest)}};
  } else {
    rule["answer"] = native_answer(server, rest);
  }
  return rule;
}

}  // namespace

std::vector<FaultCase> fault_cases() {
  const Result<Json> json = parse_json(read_file(TEST_DATA "/faults.json"));
  REQUIRE_MESSAGE(json.ok(), json.error().message);
  std::vector<FaultCase> cases;
  for (const Json& one : member(*json, "cases")) cases.push_back(read_case(one));
  return cases;
}

std::vector<FaultRule> rules_of(const FaultCase& one, const std::string& server) {
  Json rules = one.rules;
  for (Json& rule : rules) {
    if (text_of(rule, "path") == "REPLY") rule.update(reply_rule(one.backend));
  }
  for (const Call& call : kCalls) rules.push_back(say(one, server, call));
  if (one.backend != "llamacpp") {  // the probes of the model before the job
    rules.push_back({{"path", kMessages}, {"answer", message_answer({"ready", "{}"})}});
  }
  Result<std::vector<FaultRule>> read = read_fault_script(to_line({{"rules", rules}}));
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  return *std::move(read);
}

}  // namespace pedro
