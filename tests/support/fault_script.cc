#include "support/fault_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace pedro {
namespace {

constexpr std::array<std::string_view, 6> kThens = {"end",   "close",  "reset",
                                                    "stall", "repeat", "down"};

Error wrong(std::string message) {
  return {ErrorKind::kConfig, "fault script: " + std::move(message)};
}

// Rejects unknown keys: a misspelt fault would otherwise be ignored.
Status check_keys(const Json& object, std::string_view what,
                  std::initializer_list<std::string_view> keys) {
  if (!object.is_object()) return wrong(fmt::format("{}: expected an object", what));
  for (const auto& [key, value] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      return wrong(fmt::format("{}: unknown key '{}'", what, key));
    }
  }
  return {};
}

Result<FaultRule::Answer> read_answer(const Json& json) {
  if (Status known = check_keys(json, "answer", {"status", "headers", "body", "fill", "tail"});
      !known) {
    return known.error();
  }
  FaultRule::Answer answer;
  answer.status = static_cast<int>(number_of(json, "status", 200));
  for (const Json& header : member(json, "headers")) answer.headers.push_back(header);
  const Json& body = member(json, "body");
  answer.body = body.is_object() ? to_line(body) : text_of(json, "body");
  answer.tail = text_of(json, "tail");
  const Json& fill = member(json, "fill");
  answer.fill = text_of(fill, "text");
  answer.fill_times = static_cast<std::size_t>(number_of(fill, "times"));
  return answer;
}

Result<FaultRule> read_rule(const Json& json) {
  if (Status known = check_keys(json, "rule",
                                {"path", "has", "skip", "times", "for_s", "with", "answer", "put",
                                 "cut", "then", "down_s"});
      !known) {
    return known.error();
  }
  FaultRule rule;
  rule.path = text_of(json, "path");
  rule.has = text_of(json, "has");
  rule.skip = number_of(json, "skip");
  if (json.contains("times")) rule.times = number_of(json, "times");
  if (json.contains("for_s")) rule.for_s = real_of(json, "for_s");
  rule.with = member(json, "with");
  if (json.contains("answer")) {
    Result<FaultRule::Answer> answer = read_answer(json["answer"]);
    if (!answer) return answer.error();
    rule.answer = *std::move(answer);
  }
  rule.behind = text_of(member(json, "put"), "behind");
  rule.put_hex = text_of(member(json, "put"), "hex");
  if (json.contains("cut")) rule.cut = static_cast<std::size_t>(number_of(json, "cut"));
  rule.down_s = real_of(json, "down_s");
  const std::string then = json.contains("then") ? text_of(json, "then") : "end";
  const auto* const found = std::find(kThens.begin(), kThens.end(), then);
  if (found == kThens.end()) return wrong(fmt::format("then: unknown word '{}'", then));
  rule.then = static_cast<FaultRule::Then>(found - kThens.begin());
  return rule;
}

}  // namespace

Result<std::vector<FaultRule>> read_fault_script(std::string_view json) {
  const Result<Json> script = parse_json(json);
  if (!script) return script.error().at("fault script");
  if (Status known = check_keys(*script, "script", {"rules"}); !known) return known.error();
  std::vector<FaultRule> rules;
  for (const Json& one : member(*script, "rules")) {
    Result<FaultRule> rule = read_rule(one);
    if (!rule) return rule.error();
    rules.push_back(*std::move(rule));
  }
  return rules;
}

}  // namespace pedro
