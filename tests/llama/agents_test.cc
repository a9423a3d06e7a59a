// Runs the other agents on a real llama-server whose model writes noise. Each run must end in a
// documented state, and every call must be valid. A read-only agent must not change any file.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json.h"
#include "llama/session.h"

namespace pedro {
namespace {

// Returns all entries of the scratch world except the folders `without`: the type, mode, and
// contents or link target of each.
std::map<std::string, std::string> tree_of(const Session& session,
                                           const std::vector<std::string>& without) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> things;
  const std::string& root = session.folder.path();
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string().substr(root.size() + 1);
    const auto is_in = [&](const std::string& folder) { return (path + "/").starts_with(folder); };
    if (std::any_of(without.begin(), without.end(), is_in)) continue;
    const fs::file_status status = entry.symlink_status();
    std::string& thing = things[path];
    thing = fmt::format("{} {:o} ", static_cast<int>(status.type()),
                        static_cast<unsigned>(status.permissions()));
    if (fs::is_symlink(status)) thing += fs::read_symlink(entry.path()).string();
    if (fs::is_regular_file(status)) thing += session.folder.read(path);
  }
  return things;
}

std::string git(Session& session, std::vector<std::string> args) {
  Command command{.argv = {"git", "-C", session.folder.at("project"), "-c", "user.name=t", "-c",
                           "user.email=t@localhost"}};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  REQUIRE(result->ok());
  return result->out;
}

// Adds two agents to the project: one that reads, and one that writes.
void write_agents(Session& session) {
  const std::string schema =
      R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
  for (const auto& [name, front] : std::map<std::string, std::string>{
           {"look", "tools: search file\nallow: read\nevidence: none\n"},
           {"mend", "tools: file bash\nallow: read write execute\nevidence: change\n"}}) {
    const std::string folder = "project/.pedro/agents/" + name + "/";
    session.folder.write(folder + "system.md", "You work.\n\n{{calls}}\n");
    session.folder.write(folder + "1-do.md", "---\n" + front + "output: " + name +
                                                 "/x.schema.json\n---\n{{task}}\n{{tools}}\n"
                                                 "{{finish}}\n");
    session.folder.write(folder + "x.schema.json", schema);
  }
  git(session, {"add", "-A"});
  git(session, {"commit", "-q", "-m", "agents"});
}

struct Row {
  std::string agent;
  std::vector<std::string> args;
  std::set<int> exits;
  const char* writes;  // the only folder it may change; "": none; null: a branch
};

}  // namespace

TEST_CASE("llama: every agent ends in a documented state on noise, all its calls are valid") {
  int all_calls = 0;
  for (const Row& row : std::vector<Row>{
           {"triage", {"triage", "-description", "main fails"}, {0, 6}, ""},
           {"review", {"review"}, {0, 6}, ""},
           {"look", {"run", "look", "what", "fails"}, {0, 6}, ""},
           {"blog",
            {"blog", "-content", "Bees and hives.", "-out", "out"},
            {0, 5, 6},
            "project/out/"},
           {"debug", {"debug", "-symptoms", "main returns 1"}, {5, 6, 9}, nullptr},
           {"mend", {"run", "mend", "main", "fails"}, {0, 5, 6, 9}, nullptr},
       }) {
    CAPTURE(row.agent);
    Session session;
    session.environment = {{"PEDROCLI_MODEL_MAX_TOKENS", "96"}};
    write_agents(session);
    const bool reads = row.writes != nullptr;
    if (reads) session.folder.write("project/main.c", "int main(void) { return 2; }\n");
    // Ignores the job's own folders, which do not belong to the user.
    std::vector<std::string> left_out = {"state/", ".cache/"};
    left_out.emplace_back(reads ? row.writes : "project/");
    if (left_out.back().empty()) left_out.pop_back();
    const auto before = tree_of(session, left_out);
    const std::string main = git(session, {"rev-parse", "main"});
    std::vector<std::string> args = row.args;
    args.insert(args.end(), {"-max-rounds", "30"});
    const ProcessResult result = session.pedrocli(args);
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(row.exits.contains(result.exit_code));
    CHECK(tree_of(session, left_out) == before);
    CHECK(git(session, {"rev-parse", "main"}) == main);
    if (!reads) {
      CHECK(git(session, {"status", "--porcelain"}).empty());
      CHECK(git(session, {"tag"}).empty());
      const std::string branches = git(session, {"branch", "--format=%(refname:short)"});
      for (const std::string_view branch : split_lines(branches)) {
        CHECK((branch == "main" || branch.starts_with("pedrocli/")));
      }
    }
    int turns = 0;
    int calls = 0;
    std::string phases;
    for (const Json& event : session.journal()) {
      const std::string type = text_of(event, "type");
      if (type == "turn.completed") ++turns;
      if (type == "phase.started") phases += " " + text_of(event, "phase");
      if (type == "thread.completed") {
        CHECK(number_of(event, "exit_code") == result.exit_code);
      }
      if (type != "item.completed") continue;
      const Json& item = member(event, "item");
      if (text_of(item, "type") != "tool_call") continue;
      ++calls;
      CHECK_MESSAGE(truth_of(item, "valid", false), to_line(event));
    }
    CHECK(turns > 0);
    all_calls += calls;
    MESSAGE(row.agent, ": exit ", result.exit_code, " after ", turns, " rounds with ", calls,
            " calls, in", phases);
  }
  CHECK(all_calls >= 10);  // noise may end a phase early, but not every phase
}

}  // namespace pedro
