// Tests tests/data/policy/*.json: lines, the commands found in them, and the decisions of a policy.
#include "tools/policy.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "support/read_file.h"
#include "tools/command_rule.h"

using namespace pedro;

namespace {

Json table(const std::string& name) {
  const auto json = parse_json(read_file(TEST_DATA "/policy/" + name));
  REQUIRE_MESSAGE(json.ok(), (json ? name : json.error().message));
  return *json;
}

ShellDialect dialect_of(const Json& row) {
  return text_of(row, "shell") == "sh" ? ShellDialect::kPosix : ShellDialect::kBash;
}

Json argv_of(const CommandList& list) {
  Json commands = Json::array();
  for (const ListedCommand& command : list.commands) {
    Json argv = Json::array();
    for (const ShellWord& word : command.argv) argv.push_back(word.known ? word.text : "?");
    commands.push_back(std::move(argv));
  }
  return commands;
}

Policy policy_of(const Json& rules) {
  Policy policy;
  const Status added = policy.add(Json::object(), rules);
  REQUIRE_MESSAGE(added.ok(), (added ? "" : added.error().message));
  return policy;
}

PolicyRequest request_of(const Json& row) {
  return {"bash run", Permission::kExecute, text_of(row, "line"), dialect_of(row)};
}

Policy policy(const std::string& permissions, const std::string& commands) {
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
  return std::string(
      to_string(policy.decide({"bash run", permission, line, ShellDialect::kBash}).verdict));
}

}  // namespace

TEST_CASE("command list: every line of the table has the commands that a shell would run") {
  const Json rows = table("lines.json");
  REQUIRE(rows["lines"].size() >= 100);
  const Policy rules = policy_of(rows["rules"]);
  for (const Json& row : rows["lines"]) {
    CAPTURE(text_of(row, "name"));
    CAPTURE(text_of(row, "line"));
    const CommandList list = list_commands(text_of(row, "line"), dialect_of(row));
    CAPTURE(list.unread);
    CHECK(to_line(argv_of(list)) == to_line(row["argv"]));
    CHECK(!list.unread.empty() == truth_of(row, "unread"));
    const PolicyDecision decision = rules.decide(request_of(row));
    CHECK(to_string(decision.verdict) == text_of(row, "verdict"));
    CHECK(decision.findings.empty() == (decision.verdict == Verdict::kAllow));
    CHECK(Policy().decide(request_of(row)).verdict == Verdict::kAllow);
  }
}

TEST_CASE("command list: no way to start a program under another name is simply allowed") {
  const Policy rules = policy_of(table("lines.json")["rules"]);
  const Json rows = table("starts.json");
  REQUIRE(rows.size() >= 300);
  for (const Json& row : rows) {
    CAPTURE(text_of(row, "of"));
    CAPTURE(text_of(row, "line"));
    CHECK(list_commands(text_of(row, "line"), ShellDialect::kBash).unread ==
          text_of(row, "unread"));
    const Verdict decided = rules.decide(request_of(row)).verdict;
    CHECK(decided != Verdict::kAllow);
    CHECK(to_string(decided) == text_of(row, "verdict"));
  }
}

TEST_CASE("command list: ordinary lines are read to their end, and allowed") {
  const Policy rules = policy_of(table("lines.json")["rules"]);
  for (const Json& row : table("ordinary.json")) {
    const std::string line = row.get<std::string>();
    CAPTURE(line);
    CHECK(list_commands(line, ShellDialect::kBash).unread.empty());
    CHECK(verdict(rules, line) == "allow");
  }
}

TEST_CASE("command list: what is too long, too much or too deep is unread, never allowed") {
  const Policy rules = policy_of(table("lines.json")["rules"]);
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string lines[] = {repeated("x ", 1 << 19) + "; rm x",
                               repeated("$(", 5000) + "rm x",
                               repeated("`", 5001),
                               repeated("(", 5000) + "rm x",
                               repeated("ls;", 5000) + "rm x",
                               repeated("env ", 5000) + "rm x",
                               repeated("eval ", 5000) + "rm x",
                               "make " + repeated("A=b ", 5000),
                               "make CC='" + repeated("env ", 5000) + "rm x'",
                               repeated("CC=a ", 5000) + "ls",
                               "fd " + repeated("-x fd ", 5000) + "rm",
                               repeated("mise x ", 5000) + "rm x",
                               "'" + repeated("a", 5000),
                               std::string("ls\0; rm x", 9),
                               std::string("r\0m x", 5)};
  for (const std::string& line : lines) {
    CAPTURE(line.substr(0, 40));
    for (const ShellDialect dialect : {ShellDialect::kPosix, ShellDialect::kBash}) {
      const CommandList list = list_commands(line, dialect);
      CHECK(!list.unread.empty());
      CHECK(list.unread.size() <= 300);
      CHECK(list.commands.size() <= 4000);
      CHECK(rules.decide({"bash run", Permission::kExecute, line, dialect}).verdict !=
            Verdict::kAllow);
    }
  }
}

TEST_CASE("policy: a setting's value is a command that may come to be run") {
  const Policy only_make = policy("{}", R"({"*": "deny", "make": "allow"})");
  CHECK(verdict(only_make, "make CC=gcc test") == "allow");
  CHECK(verdict(only_make, "CC=gcc make test") == "allow");
  const Policy no_curl = policy("{}", R"({"curl": "deny"})");
  CHECK(verdict(no_curl, "make CC=gcc test") == "allow");
  CHECK(verdict(no_curl, "make GET='curl -s' test") == "ask");
  CHECK(verdict(no_curl, "make GET='env curl' test") == "ask");
}

TEST_CASE("command rule: which commands a rule means") {
  constexpr const char* kNames[] = {"no", "maybe", "yes"};
  for (const Json& row : table("rules.json")) {
    CAPTURE(text_of(row, "name"));
    const std::string rule = text_of(row, "rule");
    std::vector<std::string> words;
    for (const std::string_view word : split(rule, ' ')) {
      words.emplace_back(word);
    }
    std::vector<std::string> matches;
    const CommandList list = list_commands(text_of(row, "line"), ShellDialect::kBash);
    for (const ListedCommand& command : list.commands) {
      matches.emplace_back(kNames[static_cast<std::size_t>(match_rule(words, command))]);
    }
    CHECK(join(matches, " ") == text_of(row, "match"));
  }
}

TEST_CASE("policy: the last rule that matches wins") {
  const Policy last_allows = policy("{}", R"({"git": "deny", "git status": "allow"})");
  CHECK(verdict(last_allows, "git status") == "allow");
  CHECK(verdict(last_allows, "git push") == "deny");
  const Policy last_denies = policy("{}", R"({"git status": "allow", "git": "deny"})");
  CHECK(verdict(last_denies, "git status") == "deny");
  CHECK(verdict(last_denies, "ls") == "allow");
}

TEST_CASE("policy: a class of permission is what commands begin with, and rules come behind it") {
  const Policy made = policy(R"({"execute": "deny", "network": "ask"})", R"({"git": "allow"})");
  CHECK(verdict(made, "git status") == "allow");
  CHECK(verdict(made, "cd src && env git status") == "allow");
  CHECK(verdict(made, "git status; make") == "deny");
  CHECK(verdict(made, "echo x > a") == "deny");
  CHECK(verdict(made, "./git status") == "ask");
  CHECK(verdict(made, "", Permission::kNetwork) == "ask");
  CHECK(verdict(made, "", Permission::kWrite) == "allow");
}

TEST_CASE("policy: of several lists the strictest counts") {
  Policy made = policy("{}", R"({"rm": "allow", "curl": "ask"})");
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
  CHECK(verdict(made, "cat `rm x`") == "deny");
  CHECK(verdict(made, "", Permission::kWrite) == "allow");
  Policy forbidden;
  REQUIRE(forbidden.add_lists({}, {"rm"}));
  CHECK(verdict(forbidden, "make; rm x") == "deny");
  CHECK(verdict(forbidden, "make") == "allow");
  Policy nothing;
  REQUIRE(nothing.add_lists({}, {}));
  CHECK(nothing.empty());
}

TEST_CASE("policy: what is wrong with rules is said") {
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

TEST_CASE("policy: what is allowed instead") {
  const PolicyRequest line{"bash run", Permission::kExecute, "rm x", ShellDialect::kBash};
  CHECK(policy("{}", R"({"rm": "deny", "git push": "ask", "ls": "allow"})").allowed_instead(line) ==
        "Other commands are allowed. Not allowed: rm, git push.");
  CHECK(policy(R"({"execute": "deny"})", R"({"git": "allow", "git push": "deny"})")
            .allowed_instead(line) == "Commands that are allowed: git. Not allowed: git push.");
  const PolicyRequest action{"github pr_create", Permission::kNetwork};
  CHECK(policy(R"({"network": "deny"})", "{}").allowed_instead(action) ==
        "Nothing that needs the permission 'network' is allowed; use other tools.");
}
