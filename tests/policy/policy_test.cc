// Tests tests/data/policy/*.json: lines, the commands found in them, and the decisions of a policy.
#include "policy/policy.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "policy/command_rule.h"
#include "support/read_file.h"

using namespace pedro;
using namespace pedro::policy;

namespace {

Json table(const std::string& name) {
  const auto json = parse_json(read_file(TEST_DATA "/policy/" + name));
  REQUIRE_MESSAGE(json.ok(), (json ? name : json.error().message));
  return *json;
}

Policy policy_of(const Json& rules) {
  Policy policy;
  const Status added = policy.add(Json::object(), rules);
  REQUIRE_MESSAGE(added.ok(), (added ? "" : added.error().message));
  return policy;
}

Policy policy_with(const std::string& permissions, const std::string& commands) {
  Policy made;
  const Status added = made.add(Json::parse(permissions), Json::parse(commands));
  REQUIRE_MESSAGE(added.ok(), (added ? "" : added.error().message));
  return made;
}

std::string error_of(const std::string& permissions, const std::string& commands) {
  Policy made;
  const Status added = made.add(Json::parse(permissions), Json::parse(commands));
  return added ? "" : added.error().message;
}

std::string verdict(const Policy& policy, const std::string& line,
                    Permission permission = Permission::kExecute) {
  return std::string(to_string(policy.decide({"bash run", permission, line}).verdict));
}

}  // namespace

TEST_CASE("policy: every line of the table has its verdict") {
  const Json rows = table("lines.json");
  REQUIRE(rows["lines"].size() >= 100);
  const Policy rules = policy_of(rows["rules"]);
  for (const Json& row : rows["lines"]) {
    const std::string line = text_of(row, "line");
    CAPTURE(text_of(row, "name"));
    CAPTURE(line);
    const Decision decision = rules.decide({"bash run", Permission::kExecute, line});
    CHECK(to_string(decision.verdict) == text_of(row, "verdict"));
    CHECK(decision.findings.empty() == (decision.verdict == Verdict::kAllow));
    CHECK(verdict(Policy(), line) == "allow");
  }
}

TEST_CASE("policy: no way to start a denied program by name is simply allowed") {
  const Policy rules = policy_of(table("lines.json")["rules"]);
  const Json rows = table("starts.json");
  REQUIRE(rows.size() >= 200);
  for (const Json& row : rows) {
    CAPTURE(row.get<std::string>());
    CHECK(verdict(rules, row.get<std::string>()) != "allow");
  }
}

TEST_CASE("policy: ordinary lines are allowed") {
  const Policy rules = policy_of(table("lines.json")["rules"]);
  for (const Json& row : table("ordinary.json")) {
    CAPTURE(row.get<std::string>());
    CHECK(verdict(rules, row.get<std::string>()) == "allow");
  }
}

TEST_CASE("command rule: which commands a rule means") {
  constexpr const char* kNames[] = {"no", "maybe", "yes"};
  for (const Json& row : table("rules.json")) {
    CAPTURE(text_of(row, "name"));
    const auto commands = plain_commands(text_of(row, "line"));
    const auto rule = plain_commands(text_of(row, "rule"));
    REQUIRE((commands && rule));
    const RuleMatch match = match_rule(rule->front(), commands->front());
    CHECK(std::string(kNames[static_cast<std::size_t>(match)]) == text_of(row, "match"));
  }
}

TEST_CASE("policy: the last rule that matches wins") {
  const Policy last_allows = policy_with("{}", R"({"git": "deny", "git status": "allow"})");
  CHECK(verdict(last_allows, "git status") == "allow");
  CHECK(verdict(last_allows, "git push") == "deny");
  const Policy last_denies = policy_with("{}", R"({"git status": "allow", "git": "deny"})");
  CHECK(verdict(last_denies, "git status") == "deny");
  CHECK(verdict(last_denies, "ls") == "allow");
}

TEST_CASE("policy: a permission class is the default for commands, and rules override it") {
  const Policy made =
      policy_with(R"({"execute": "deny", "network": "ask"})", R"({"git": "allow"})");
  CHECK(verdict(made, "git status") == "allow");
  CHECK(verdict(made, "cd src && git status") == "allow");
  CHECK(verdict(made, "git status; make") == "deny");
  CHECK(verdict(made, "echo x > a") == "deny");
  CHECK(verdict(made, "./git status") == "ask");
  CHECK(verdict(made, "", Permission::kNetwork) == "ask");
  CHECK(verdict(made, "", Permission::kWrite) == "allow");
}

TEST_CASE("policy: of several lists the strictest counts") {
  Policy made = policy_with("{}", R"({"rm": "allow", "curl": "ask"})");
  REQUIRE(made.add(Json::object(), Json::parse(R"({"rm": "ask", "curl": "allow"})")));
  CHECK(verdict(made, "rm x") == "ask");
  CHECK(verdict(made, "curl x") == "ask");
  CHECK(verdict(made, "ls") == "allow");
}

TEST_CASE("policy: the lists of the Go program") {
  Policy made;
  REQUIRE(made.add_lists({"git", "go test", "cat"}, {"rm", "sudo", "git push"}));
  CHECK(verdict(made, "git status && cat a") == "allow");
  CHECK(verdict(made, "cd src && go test ./...") == "allow");
  CHECK(verdict(made, "go build") == "deny");
  CHECK(verdict(made, "git push") == "deny");
  CHECK(verdict(made, "cat `rm x`") == "ask");
  CHECK(verdict(made, "", Permission::kWrite) == "allow");
  Policy forbidden;
  REQUIRE(forbidden.add_lists({}, {"rm"}));
  CHECK(verdict(forbidden, "make; rm x") == "deny");
  CHECK(verdict(forbidden, "make") == "allow");
  Policy nothing;
  REQUIRE(nothing.add_lists({}, {}));
  CHECK(nothing.empty());
}

TEST_CASE("policy: tools of MCP servers need consent, unless the user's last rule says more") {
  struct Row {
    const char* user;
    const char* project;
    const char* verdict;
    const char* rule;
  };
  const Row rows[] = {
      {"{}", "{}", "ask", "policy.mcp \"m.read\""},
      {R"({"m.read": "allow"})", "{}", "allow", ""},
      {R"({"m.*": "allow", "m.read": "deny"})", "{}", "deny", "policy.mcp \"m.read\""},
      {R"({"m.read": "deny", "m.*": "allow"})", "{}", "allow", ""},
      {R"({"*": "allow"})", R"({"m.*": "deny"})", "deny", "policy.mcp \"m.*\""},
      {R"({"*": "allow"})", R"({"n.*": "deny"})", "allow", ""},
      {"{}", R"({"*": "allow"})", "ask", "policy.mcp \"m.read\""},
      {R"({"mm.*": "allow", "n.read": "allow"})", "{}", "ask", "policy.mcp \"m.read\""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.user);
    CAPTURE(row.project);
    Policy policy;
    REQUIRE(policy.add_server_tools(Json::parse(row.user)).ok());
    REQUIRE(policy.add_server_tools(Json::parse(row.project)).ok());
    const Decision decision = policy.decide(
        {.action = "m.read {}", .permission = Permission::kNetwork, .server_tool = "m.read"});
    CHECK(to_string(decision.verdict) == row.verdict);
    CHECK((decision.findings.empty() ? "" : decision.findings[0].rule) == row.rule);
    CHECK(policy.decide({"bash run", Permission::kExecute, "make"}).verdict == Verdict::kAllow);
  }
  Policy policy;
  CHECK(policy.add_server_tools(Json::parse(R"({"m": "allow"})")).error().message ==
        "policy.mcp: 'm': expected SERVER.TOOL, SERVER.* or *");
  CHECK(policy.add_server_tools(Json::parse(R"({"m.*": "yes"})")).error().message ==
        "policy.mcp: 'm.*': expected allow, ask or deny, got \"yes\"");
}

TEST_CASE("policy: errors in rules are reported") {
  CHECK(error_of(R"({"exec": "deny"})", "{}") ==
        "policy.permissions: 'exec': expected read, write, execute, history or network");
  CHECK(error_of(R"({"read": "maybe"})", "{}") ==
        "policy.permissions: 'read': expected allow, ask or deny, got \"maybe\"");
  CHECK(error_of("{}", R"({"rm": true})") ==
        "policy.commands: 'rm': expected allow, ask or deny, got true");
  CHECK(error_of("{}", R"({" ": "deny"})") == "policy.commands: ' ': a command has no words");
  CHECK(error_of("{}", R"({"a | b": "deny"})") ==
        "policy.commands: 'a | b': a command is plain words, without shell syntax");
  CHECK(error_of("{}", R"({"// note": 1, "rm": "deny"})").empty());
}

TEST_CASE("policy: a refusal lists the allowed alternatives") {
  const Request line{"bash run", Permission::kExecute, "rm x"};
  CHECK(policy_with("{}", R"({"rm": "deny", "git push": "ask", "ls": "allow"})")
            .allowed_instead(line) == "Other commands are allowed. Not allowed: rm, git push.");
  CHECK(policy_with(R"({"execute": "deny"})", R"({"git": "allow", "git push": "deny"})")
            .allowed_instead(line) == "Commands that are allowed: git. Not allowed: git push.");
  const Request action{"github pr_create", Permission::kNetwork};
  CHECK(policy_with(R"({"network": "deny"})", "{}").allowed_instead(action) ==
        "Nothing that needs the permission 'network' is allowed; use other tools.");
}
