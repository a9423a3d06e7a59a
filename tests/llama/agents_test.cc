// The other agents against a real llama-server whose model writes noise: each ends in a documented
// state, every call is valid, and what only reads changes no byte.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "base/json.h"
#include "llama/session.h"

namespace pedro {
namespace {

// Every file of the project but those below `without`, .git included.
std::map<std::string, std::string> files_of(const Session& session, const std::string& without) {
  std::map<std::string, std::string> files;
  const std::string root = session.folder.at("project");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string().substr(root.size() + 1);
    if (!entry.is_regular_file() || (!without.empty() && path.starts_with(without))) continue;
    files[path] = session.folder.read("project/" + path);
  }
  return files;
}

struct Row {
  std::string agent;
  std::vector<std::string> args;
  std::set<int> exits;
  const char* writes;  // below this folder only; null: as git has it
};

}  // namespace

TEST_CASE("llama: every agent ends in a documented state on noise, all its calls are valid") {
  for (const Row& row : std::vector<Row>{
           {"triage", {"triage", "-description", "main fails"}, {0, 6}, ""},
           {"review", {"review"}, {0, 6}, ""},
           {"blog", {"blog", "-content", "Bees and hives.", "-out", "out"}, {0, 5, 6}, "out/"},
           {"debug", {"debug", "-symptoms", "main returns 1"}, {5, 6}, nullptr},
       }) {
    CAPTURE(row.agent);
    Session session;
    session.environment = {{"PEDROCLI_MODEL_MAX_TOKENS", "96"}};
    if (row.writes != nullptr) {
      session.folder.write("project/main.c", "int main(void) { return 2; }\n");
    }
    const auto before = files_of(session, "");
    std::vector<std::string> args = row.args;
    args.insert(args.end(), {"-max-rounds", "6"});
    const ProcessResult result = session.pedrocli(args);
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(row.exits.contains(result.exit_code));
    if (row.writes != nullptr) CHECK(files_of(session, row.writes) == before);
    int turns = 0;
    for (const Json& event : session.journal()) {
      const std::string type = text_of(event, "type");
      if (type == "turn.completed") ++turns;
      if (type == "thread.completed") {
        CHECK(number_of(event, "exit_code") == result.exit_code);
      }
      if (type != "item.completed") continue;
      const Json& item = member(event, "item");
      if (text_of(item, "type") != "tool_call") continue;
      CHECK_MESSAGE(truth_of(item, "valid", false), to_line(event));
    }
    CHECK(turns > 0);
    MESSAGE(row.agent, ": exit ", result.exit_code, " after ", turns, " rounds");
  }
}

}  // namespace pedro
