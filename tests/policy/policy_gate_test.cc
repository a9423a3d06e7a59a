#include "policy/policy_gate.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "tools/tool_bench.h"

using namespace pedro;

namespace {

/// A policy gate with prepared answers. Records the questions.
struct GateWorld {
  explicit GateWorld(const std::string& rules) {
    REQUIRE(policy.add(Json::object(), Json::parse(rules)));
  }

  /// Returns why the line may not run; "" if it may.
  std::string refusal(const std::string& line) {
    const auto refused = gate.refusal({"bash run", Permission::kExecute, line});
    REQUIRE(refused.ok());
    return refused->value_or("");
  }

  policy::Policy policy;
  std::vector<policy::Answer> answers;  // consumed from the front
  std::vector<policy::Question> questions;
  std::vector<policy::Record> records;
  policy::Gate gate{policy,
                    [this](const policy::Question& question) -> Result<policy::Answer> {
                      questions.push_back(question);
                      const policy::Answer answer = answers.front();
                      answers.erase(answers.begin());
                      return answer;
                    },
                    [this](const policy::Record& record) -> Status {
                      records.push_back(record);
                      return {};
                    }};
};

}  // namespace

TEST_CASE("policy gate: the user sees the line and the rule, and decides") {
  GateWorld world(R"({"git push": "ask"})");
  world.answers = {policy::Answer::kYes, policy::Answer::kNo};
  CHECK(world.refusal("git add . && git push").empty());
  CHECK(world.refusal("git push -f") ==
        "not run: the user said no.\npolicy.commands \"git push\": git push -f\n"
        "Other commands are allowed. Not allowed: git push.");
  REQUIRE(world.questions.size() == 2);
  CHECK(world.questions[0].what == "git add . && git push");
  CHECK(world.questions[0].why == "policy.commands \"git push\": git push");
  CHECK(world.questions[0].always == "policy.commands \"git push\"");
  REQUIRE(world.records.size() == 2);
  CHECK(world.records[0].by == "person");
  CHECK(world.records[0].allowed);
  CHECK_FALSE(world.records[1].allowed);
  CHECK(world.gate.denied_asks() == std::vector<std::string>{"git push -f"});
}

TEST_CASE("policy gate: 'always' is for a rule, or for a line that no rule is sure about") {
  GateWorld world(R"({"git push": "ask", "rm": "ask"})");
  world.answers = {policy::Answer::kAlways, policy::Answer::kAlways, policy::Answer::kNo,
                   policy::Answer::kNo};
  CHECK(world.refusal("git push").empty());
  CHECK(world.refusal("git push --tags").empty());
  CHECK(world.records[1].by == "earlier answer");
  CHECK(world.refusal("$X y").empty());
  CHECK(world.questions[1].always == "line $X y");
  CHECK(world.refusal("$X y").empty());
  CHECK_FALSE(world.refusal("$X z").empty());
  CHECK_FALSE(world.refusal("git push; rm x").empty());
  CHECK(world.questions[3].always == "policy.commands \"rm\"");
  CHECK(world.answers.empty());
}

TEST_CASE("policy gate: without anybody to ask, it is a no") {
  policy::Policy policy;
  REQUIRE(policy.add(Json::object(), Json::parse(R"({"rm": "ask", "curl": "deny"})")));
  std::vector<std::string> heard;
  policy::Gate gate(policy, {}, [&](const policy::Record& record) -> Status {
    heard.push_back(record.by);
    return {};
  });
  const auto asked = gate.refusal({"bash run", Permission::kExecute, "rm x"});
  REQUIRE(asked.ok());
  CHECK(asked->value_or("").starts_with("not run: no user is present to ask."));
  const auto denied = gate.refusal({"bash run", Permission::kExecute, "curl x"});
  REQUIRE(denied.ok());
  CHECK(denied->value_or("").starts_with("not run: the user does not allow it."));
  const auto allowed = gate.refusal({"bash run", Permission::kExecute, "ls"});
  REQUIRE(allowed.ok());
  CHECK_FALSE(allowed->has_value());
  CHECK(heard == std::vector<std::string>{"nobody to ask", "rules", "rules"});
  CHECK(gate.denied_asks() == std::vector<std::string>{"rm x"});
}

TEST_CASE("policy gate: records nothing without rules") {
  const policy::Policy none;
  policy::Gate gate(none, {}, [](const policy::Record&) -> Status {
    return Error{ErrorKind::kInternal, "heard"};
  });
  const auto allowed = gate.refusal({"bash run", Permission::kExecute, "rm -rf /"});
  REQUIRE(allowed.ok());
  CHECK_FALSE(allowed->has_value());
}

TEST_CASE("policy gate: a journal that cannot be written stops the job") {
  policy::Policy policy;
  REQUIRE(policy.add(Json::object(), Json::parse(R"({"rm": "ask"})")));
  policy::Gate gate(policy, {}, [](const policy::Record&) -> Status {
    return Error{ErrorKind::kInternal, "disk full"};
  });
  CHECK_FALSE(gate.refusal({"bash run", Permission::kExecute, "ls"}).ok());
}

TEST_CASE(
    "policy gate: no tool runs a denied command, and each is judged by its equivalent command") {
  struct Row {
    const char* tool;
    const char* args;
    const char* rules;
    const char* permissions;
    bool denied;
  };
  const Row rows[] = {
      {"bash", R"({"action": "run", "command": "touch made"})", R"({"touch": "deny"})", "{}", true},
      {"bash", R"({"action": "run", "command": "touch made"})", R"({"rm": "deny"})", "{}", false},
      {"file", R"({"action": "write", "path": "made", "content": "x"})", "{}",
       R"({"write": "deny"})", true},
      {"file", R"({"action": "write", "path": "made", "content": "x"})", R"({"touch": "deny"})",
       R"({"execute": "deny"})", false},
      {"git", R"({"action": "add", "files": ["a.txt"]})", R"({"git add": "deny"})", "{}", true},
      {"git", R"({"action": "add", "files": ["a.txt"]})", R"({"git commit": "deny"})", "{}", false},
      {"git", R"({"action": "status"})", "{}", R"({"history": "deny"})", false},
      {"github", R"({"action": "issue_fetch", "issue_number": 1})", R"({"gh": "deny"})", "{}",
       true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.args);
    CAPTURE(row.rules);
    ToolBench bench;
    policy::Policy policy;
    REQUIRE(policy.add(Json::parse(row.permissions), Json::parse(row.rules)));
    policy::Gate gate(policy, {}, [](const policy::Record&) { return Status(); });
    bench.policy = &gate;
    bench.make_repository();
    const ToolResult result = bench.run(row.tool, row.args);
    CHECK(result.text.starts_with("not run: ") == row.denied);
    if (row.denied) CHECK_FALSE(result.ok);
    if (row.denied) CHECK_FALSE(bench.exists("made"));
  }
}
