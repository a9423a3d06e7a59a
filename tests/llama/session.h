#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// A small project, not yet committed, on which `make test` fails.
inline void write_project(const TempFolder& folder) {
  folder.write("project/Makefile", "test:\n\t@grep -q fixed main.c\n");
  folder.write("project/main.c", "int main(void) { return 1; }\n");
  folder.write("project/.pedro/issues/7.md", "# main fails\n\nIt must return 0.\n");
}

/// The real program in a scratch world, with the server of with-server.
struct Session {
  Session() {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    server_url = url;
    write_project(folder);
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "init"}}) {
      Command git{.argv = {"git", "-C", folder.at("project"), "-c", "user.name=t", "-c",
                           "user.email=t@localhost"}};
      git.argv.insert(git.argv.end(), args.begin(), args.end());
      REQUIRE(processes.run(git, cancel)->ok());
    }
  }

  ProcessResult pedrocli(std::vector<std::string> args) {
    Command command{.argv = {PEDROCLI_PROGRAM}, .folder = folder.at("project")};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.argv.insert(command.argv.end(), {"-model-url", server_url});
    command.environment = environment;
    command.environment["HOME"] = folder.path();
    command.environment["XDG_STATE_HOME"] = folder.at("state");
    // A random model's answers are noise: these tests cover the phases.
    command.environment.emplace("PEDROCLI_MODEL_TRIES", "0");
    command.environment.emplace("PEDROCLI_MODEL_GROUNDING", "false");
    command.environment.emplace("PEDROCLI_MODEL_PHASES", "long");
    command.timeout_s = timeout_s;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    return *result;
  }

  /// Sets the maximum number of rounds of each build phase.
  void let_phases_go_on(const std::string& rounds) const {
    const std::string below = "prompts/build";
    const auto prompts = files.list(PEDROCLI_SOURCE "/" + below);
    REQUIRE(prompts.ok());
    for (const FolderEntry& prompt : *prompts) {
      const std::string path = below + "/" + prompt.name;
      auto text = files.read(PEDROCLI_SOURCE "/" + path, std::size_t{1} << 20);
      REQUIRE(text.ok());
      const std::size_t limit = text->find("\nmax_rounds: ");
      if (limit == std::string::npos) continue;
      text->replace(limit, text->find('\n', limit + 1) - limit, "\nmax_rounds: " + rounds);
      folder.write("project/.pedro/" + path, *text);
    }
  }

  /// The journal of the only job.
  std::vector<Json> journal() { return lines_of("journal.jsonl"); }

  /// Returns a file of the only job, with a JSON value on each line.
  std::vector<Json> lines_of(const std::string& name) {
    const auto jobs = files.list(folder.at("state/pedrocli/jobs"));
    REQUIRE(jobs.ok());
    REQUIRE(jobs->size() == 1);
    const std::string text = folder.read("state/pedrocli/jobs/" + jobs->front().name + "/" + name);
    std::vector<Json> events;
    for (const std::string_view line : split_lines(text)) events.push_back(*parse_json(line));
    return events;
  }

  std::map<std::string, std::string> environment;  // in addition to the scratch world's variables
  std::string server_url;                          // the server of with-server
  double timeout_s = 1200;                         ///< enough for a machine under load
  TempFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
};

}  // namespace pedro
