// Tests the effect of each common agent flag, with every agent.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

struct AgentRow {
  std::string name;
  std::vector<std::string> args;  // including its task
  std::vector<std::string> replies;
  bool hands_on = false;  // the first reply ends a phase: -resume starts the next job
};

std::string handed_on(const Json& args) {
  return call("phase_complete", args);
}

AgentRow blog_row() {
  const Json sections = Json::array({{{"heading", "One hive"}, {"notes", Json::array({1})}},
                                     {{"heading", "The cost"}, {"notes", Json::array({2})}}});
  return {
      "blog",
      {"blog", "-content", "The harvest doubled in one year.\n\nIt cost little."},
      {handed_on({{"topic", "bees"},
                  {"audience", "gardeners"},
                  {"angle", "what one hive did"},
                  {"points", Json::array({"more fruit"})}}),
       handed_on({{"sections", sections}}),
       handed_on({{"notes", {{{"note", 1}, {"text", "The harvest doubled in one year."}}}},
                  {"heading", "One hive"}}),
       handed_on(
           {{"notes", {{{"note", 1}, {"text", "It cost little."}}}}, {"heading", "The cost"}}),
       handed_on({{"tldr", Json::array({"A hive pays.", "Start small."})}}),
       handed_on({{"title", "A hive pays"},
                  {"tags", Json::array({"bees"})},
                  {"summary", "One hive doubled the harvest."}}),
       handed_on({{"x", "A hive pays."}, {"bluesky", "A hive pays."}, {"linkedin", "It pays."}})},
      true};
}

AgentRow debug_row() {
  const Json place = {{"file", "a.txt"}, {"line", 1}, {"matters", "says bad"}};
  return {"debug",
          {"debug", "-symptoms", "It says bad", "-test-cmd", "test -s a.txt"},
          {handed_on({{"reproduced", true},
                      {"command", "grep -q good a.txt"},
                      {"observed", "bad"},
                      {"expected", "good"},
                      {"tried", ""}}),
           handed_on({{"path", "a.txt"},
                      {"places", Json::array({place})},
                      {"causes", Json::array({"a typo"})}}),
           handed_on({{"file", "a.txt"}, {"line", 1}, {"cause", "a typo"}, {"change", "say good"}}),
           kEdit, handed_on({{"summary", "it says good"}}),
           handed_on({{"subject", "Say good"}, {"body", "It said bad."}})}};
}

AgentRow review_row() {
  const std::string nothing = handed_on({{"findings", Json::array()}});
  return {"review",
          {"review", "-branch", "feature"},
          {handed_on({{"purpose", "says more"}, {"watch", Json::array()}}), nothing, nothing,
           handed_on({{"verdict", "approve"}, {"summary", "It is fine."}})},
          true};
}

AgentRow triage_row() {
  const Json place = {{"file", "a.txt"}, {"line", 1}, {"shows", "bad"}};
  return {"triage",
          {"triage", "-description", "It says bad"},
          {call("search", {{"action", "grep"}, {"pattern", "bad"}}),
           handed_on({{"severity", "low"},
                      {"category", "bug"},
                      {"component", "text"},
                      {"cause", "a typo"},
                      {"evidence", Json::array({place})},
                      {"reproduction", "read it"},
                      {"labels", Json::array({"bug"})},
                      {"next", "build"}})}};
}

AgentRow own_row() {
  return {"look",
          {"run", "look", "for", "bees"},
          {call("file", {{"action", "read"}, {"path", "a.txt"}}), handed_on({{"n", 3}})}};
}

struct FlagBench : Program {
  FlagBench() {
    folder.write("project/a.txt", "bad\n");
    const std::string own = "project/.pedro/agents/look/";
    folder.write(own + "system.md", "You look.\n\n{{calls}}\n");
    folder.write(own + "1-look.md",
                 "---\ntools: file\nallow: read\noutput: look/x.schema.json\n---\n"
                 "Look {{task}}\n{{tools}}\n{{finish}}\n");
    folder.write(own + "x.schema.json",
                 R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})");
    commit_project();
    git({"checkout", "-q", "-b", "feature"});
    folder.write("project/a.txt", "bad\nworse\n");
    git({"commit", "-qam", "say more"});
    git({"checkout", "-q", "main"});
  }

  std::string recording() const { return folder.at("session.jsonl"); }

  /// Runs the agent in `folder_of_process`, with additional flags.
  ProcessResult run_in(const std::string& folder_of_process, const AgentRow& agent,
                       const std::vector<std::string>& more, const std::string& input = "") {
    Command command{.argv = {PEDROCLI_PROGRAM}, .folder = folder_of_process};
    command.argv.insert(command.argv.end(), agent.args.begin(), agent.args.end());
    command.argv.insert(command.argv.end(), more.begin(), more.end());
    command.environment = environment();
    command.input = input;
    command.timeout_s = 60;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    return *std::move(result);
  }
  ProcessResult run_agent(const AgentRow& agent, const std::vector<std::string>& more,
                          const std::string& input = "") {
    return run_in(project(), agent, more, input);
  }
  ProcessResult play(const AgentRow& agent, std::vector<std::string> more) {
    more.insert(more.end(), {"-replay", recording()});
    return run_agent(agent, more);
  }

  /// Restores the state before the first job.
  void clear() {
    git({"checkout", "-q", "-f", "main"});
    const std::string branches =
        git({"branch", "--list", "--format=%(refname:short)", "pedrocli/*"});
    for (const std::string_view branch : split_lines(branches)) {
      git({"branch", "-q", "-D", std::string(branch)});
    }
    fs::remove_all(folder.at("project/blog"));
    fs::remove_all(folder.at("state"));
  }

  std::vector<std::string> jobs() {
    std::vector<std::string> ids;
    const std::string listed = run({"list"}).out;
    for (const std::string_view line : split_lines(listed)) {
      ids.emplace_back(line.substr(0, line.find(' ')));
    }
    return ids;
  }

  std::string report;  // the report of the recorded run
};

// Removes parts that differ between runs, and the cost, which may be split between two jobs.
std::string lasting(const std::string& out) {
  std::string kept;
  const std::string_view lines = std::string_view(out).substr(0, out.find("\n## Cost\n"));
  for (const std::string_view line : split_lines(lines)) {
    const bool by_chance = line.starts_with("- commit: ") || line.starts_with("- patch: ");
    if (!by_chance) kept += std::string(line) + "\n";
  }
  return kept;
}

// Each check below runs after a recording of the agent's whole session, without earlier jobs.

void check_record(FlagBench& bench, const AgentRow& agent) {
  const std::string path = bench.folder.at("again.jsonl");
  const ProcessResult result = bench.play(agent, {"-record", path});
  CHECK(result.exit_code == 0);
  const std::string recorded = bench.folder.read("again.jsonl");
  CHECK(recorded == bench.folder.read("session.jsonl"));
  CHECK(split_lines(recorded).size() == 1 + agent.replies.size());
}

void check_replay(FlagBench& bench, const AgentRow& agent) {
  const ProcessResult result = bench.play(agent, {});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(lasting(result.out) == bench.report);
}

void check_json(FlagBench& bench, const AgentRow& agent) {
  const ProcessResult result = bench.play(agent, {"-json"});
  CHECK(result.exit_code == 0);
  std::vector<Json> events;
  for (const std::string_view line : split_lines(result.out)) {
    const auto event = parse_json(line);
    REQUIRE_MESSAGE(event.ok(), line);
    events.push_back(*event);
  }
  REQUIRE(events.size() > agent.replies.size());
  CHECK(text_of(events.front(), "type") == "thread.started");
  CHECK(text_of(events.front(), "agent") == agent.name);
  CHECK(text_of(events.back(), "type") == "thread.completed");
  CHECK(number_of(events.back(), "exit_code", -1) == 0);
}

void check_workdir(FlagBench& bench, const AgentRow& agent) {
  const ProcessResult result = bench.run_in(bench.folder.path(), agent,
                                            {"-workdir", "project", "-replay", bench.recording()});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(lasting(result.out) == bench.report);
}

void check_config(FlagBench& bench, const AgentRow& agent) {
  const std::string path =
      bench.folder.write("my.json", R"({"limits": {"max_inference_runs": 1}})");
  const ProcessResult result = bench.play(agent, {"-config", path});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("- rounds: 1\n") != std::string::npos);
}

void check_debug(FlagBench& bench, const AgentRow& agent) {
  const ProcessResult result = bench.play(agent, {"-debug"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("debug prompt: system\n") != std::string::npos);
  CHECK(result.err.find("debug prompt: user\n") != std::string::npos);
  CHECK(lasting(result.out) == bench.report);
}

void check_resume(FlagBench& bench, const AgentRow& agent) {
  const ProcessResult first = bench.run_agent(agent, {"-backend", "manual", "-max-rounds", "1"},
                                              typed({agent.replies.front()}));
  CAPTURE(first.err);
  CHECK(first.exit_code == 6);
  const std::vector<std::string> before = bench.jobs();
  REQUIRE(before.size() == 1);
  AgentRow again = agent;
  if (agent.name == "debug") again.args = {"debug"};  // the job contains its task
  const ProcessResult last =
      bench.run_agent(again, {"-backend", "manual", "-resume", before.front(), "-max-rounds", "60"},
                      typed({agent.replies.begin() + 1, agent.replies.end()}));
  CAPTURE(last.err);
  CHECK(last.exit_code == 0);
  CHECK(lasting(last.out) == bench.report);
  CHECK(bench.jobs().size() == (agent.hands_on ? 2 : 1));
}

}  // namespace

TEST_CASE("flags: each works as documented, for every agent") {
  const std::pair<const char*, void (*)(FlagBench&, const AgentRow&)> flags[] = {
      {"-record", check_record},   {"-replay", check_replay}, {"-json", check_json},
      {"-workdir", check_workdir}, {"-config", check_config}, {"-debug", check_debug},
      {"-resume", check_resume},
  };
  for (const AgentRow& agent : {blog_row(), debug_row(), review_row(), triage_row(), own_row()}) {
    CAPTURE(agent.name);
    FlagBench bench;
    const ProcessResult recorded = bench.run_agent(
        agent, {"-backend", "manual", "-record", bench.recording()}, typed(agent.replies));
    INFO(recorded.err);
    REQUIRE(recorded.exit_code == 0);
    CHECK(recorded.err.find("debug prompt:") == std::string::npos);
    bench.report = lasting(recorded.out);
    for (const auto& [flag, check] : flags) {
      CAPTURE(flag);
      bench.clear();
      check(bench, agent);
    }
  }
}

TEST_CASE("flags: a read-only agent is resumed, after a limit and after a kill") {
  for (const AgentRow& agent : {review_row(), triage_row(), own_row()}) {
    CAPTURE(agent.name);
    FlagBench bench;
    const std::vector<std::string> rest(agent.replies.begin() + 1, agent.replies.end());
    const ProcessResult whole =
        bench.run_agent(agent, {"-backend", "manual"}, typed(agent.replies));
    REQUIRE(whole.exit_code == 0);
    const auto check_rest = [&] {
      const std::vector<std::string> before = bench.jobs();
      const ProcessResult last = bench.run({"resume", "-max-rounds", "60"}, typed(rest));
      CAPTURE(last.err);
      CHECK(last.exit_code == 0);
      CHECK(last.out == whole.out);
      CHECK(bench.jobs() == before);
    };

    bench.clear();
    CHECK(bench
              .run_agent(agent, {"-backend", "manual", "-max-rounds", "1"},
                         typed({agent.replies.front()}))
              .exit_code == 6);
    check_rest();

    bench.clear();
    bench.folder.write("reply", typed({agent.replies.front()}));
    Command shell{.argv = {"bash", "-c",
                           "mkfifo ../typed && exec 3<>../typed && cat ../reply >&3\n"
                           "\"$0\" \"$@\" -backend manual <../typed >../out 2>&1 3>&- & job=$!\n"
                           "until grep -q '\"rounds\":1,' "
                           "../state/pedrocli/jobs/*/answers.log 2>/dev/null\n"
                           "do sleep 0.02; done\nkill -9 $job; wait $job; test $? = 137",
                           PEDROCLI_PROGRAM},
                  .folder = bench.project()};
    shell.argv.insert(shell.argv.end(), agent.args.begin(), agent.args.end());
    shell.environment = bench.environment();
    shell.timeout_s = 60;
    const auto killed = bench.processes.run(shell, bench.cancel);
    REQUIRE(killed.ok());
    REQUIRE(killed->ok());
    check_rest();
  }
}

TEST_CASE("flags: a job is not resumed if its input has changed") {
  FlagBench bench;
  const AgentRow agent = review_row();
  CHECK(bench
            .run_agent(agent, {"-backend", "manual", "-max-rounds", "1"},
                       typed({agent.replies.front()}))
            .exit_code == 6);
  bench.git({"checkout", "-q", "feature"});
  bench.folder.write("project/a.txt", "bad\nworst\n");
  bench.git({"commit", "-qam", "say the most"});
  bench.git({"checkout", "-q", "main"});
  const ProcessResult result = bench.run({"resume", "-max-rounds", "60"}, typed(agent.replies));
  CHECK(result.exit_code == 2);
  CHECK(result.err.find(": its input has changed; start a new job\n") != std::string::npos);
}

}  // namespace pedro
