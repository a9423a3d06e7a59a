#include "eval/eval_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/embedded_file.h"
#include "base/text.h"
#include "eval/check_keys.h"
#include "llm/bias_settings.h"

namespace pedro {

extern const EmbeddedFile kEvalPlan[];

namespace {

constexpr std::size_t kMaxConfigurations = 64;
constexpr std::size_t kMaxTasks = 1000;

Error wrong(std::string_view what) {
  return {ErrorKind::kConfig, std::string(what)};
}

Result<EvalConfiguration> read_configuration(const Json& json) {
  PEDRO_RETURN_IF_ERROR(
      check_keys(json, {"name", "mode", "steering", "logit_bias", "names", "bodies", "grounding"}));
  EvalConfiguration read;
  read.name = text_of(json, "name");
  if (read.name.empty()) return wrong("name: expected a string");
  const auto mode = parse_generation_mode(text_of(json, "mode", to_string(read.mode)));
  if (!mode) {
    return wrong(fmt::format("mode: expected one of {}", fmt::join(generation_mode::kNames, ", ")));
  }
  read.mode = *mode;
  const auto steering = parse_steering(text_of(json, "steering", to_string(read.steering)));
  if (!steering) return wrong("steering: expected single, staged or auto");
  read.steering = *steering;
  const std::string names = text_of(json, "names", "actions");
  if (names != "flat" && names != "actions") return wrong("names: expected flat or actions");
  read.flat_names = names == "flat";
  read.grounding = truth_of(json, "grounding");
  const auto bodies = parse_bodies(text_of(json, "bodies", "json"));
  if (!bodies || *bodies == Bodies::kAuto) return wrong("bodies: expected json or raw");
  read.bodies = *bodies;
  if (json.contains("logit_bias")) read.logit_bias = json["logit_bias"];
  PEDRO_RETURN_IF_ERROR(read_biases(read.logit_bias, ""));
  return read;
}

Result<EvalTask> read_task(const Json& json) {
  PEDRO_RETURN_IF_ERROR(check_keys(json, {"name", "phase", "prompt", "result", "expect"}));
  EvalTask task{text_of(json, "name"),
                text_of(json, "phase"),
                text_of(json, "prompt"),
                text_of(json, "result"),
                {}};
  if (task.name.empty() || task.phase.empty() || task.prompt.empty()) {
    return wrong("expected name, phase and prompt, each a string");
  }
  for (const Json& one : member(json, "expect")) {
    const Status known = check_keys(one, {"tool", "args"});
    if (!known) return known.error().at("expect");
    const Json& args = member(one, "args");
    task.expect.push_back({text_of(one, "tool"), args.is_object() ? args : Json::object()});
    if (task.expect.back().tool.empty()) return wrong("expect: tool: expected a string");
  }
  if (task.expect.empty()) return wrong("expect: expected a list of correct calls");
  return task;
}

template <typename Read, typename Row>
Status read_rows(const Json& json, const char* key, std::size_t most, Read read,
                 std::vector<Row>& rows) {
  const Json& list = member(json, key);
  if (!list.is_array() || list.empty() || list.size() > most) {
    return wrong(fmt::format("{}: expected a list of 1 to {}", key, most));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    Result<Row> row = read(list[i]);
    if (!row) return row.error().at(fmt::format("{}[{}]", key, i));
    const auto same = [&](const Row& other) { return other.name == row->name; };
    if (std::any_of(rows.begin(), rows.end(), same)) {
      return wrong(fmt::format("{}[{}]: duplicate '{}'", key, i, row->name));
    }
    rows.push_back(*std::move(row));
  }
  return {};
}

}  // namespace

Result<EvalPlan> read_eval_plan(std::string_view place, std::string_view text) {
  const Result<Json> json = parse_json(text);
  if (!json) return json.error().at(place);
  EvalPlan plan;
  Status read = check_keys(*json, {"configurations", "tasks", "files"});
  if (read) {
    read = read_rows(*json, "configurations", kMaxConfigurations, read_configuration,
                     plan.configurations);
  }
  if (read) read = read_rows(*json, "tasks", kMaxTasks, read_task, plan.tasks);
  if (!read) return read.error().at(place);
  for (const auto& [path, text_of_file] : member(*json, "files").items()) {
    if (!text_of_file.is_string()) return wrong("files: expected strings by path").at(place);
    plan.files[path] = text_of_file.get<std::string>();
  }
  return plan;
}

std::string_view builtin_eval_plan() {
  return kEvalPlan[0].bytes;
}

}  // namespace pedro
