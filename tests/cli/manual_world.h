#pragma once

#include "base/text.h"
#include "cli/program.h"
#include "cli/rank_file.h"
#include "cli/replies.h"

namespace pedro {

/// A scratch project for the commands of the manual: a repository with an issue, the files that
/// the examples name, two vocabularies, and a completed job. Its `pedrocli` in PATH plays the model
/// of `pedrocli build` with prepared replies; everything else is the real program.
class ManualWorld : public Program {
 public:
  ManualWorld() {
    extra_environment["PEDROCLI_MODEL_PHASES"] = "short";
    write_program();
    write_project();
    write_vocabularies();
    extra_environment["PATH"] = folder.at("bin") + ":" + std::getenv("PATH");
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      extra_environment[std::string("GIT_") + who + "_NAME"] = "t";
      extra_environment[std::string("GIT_") + who + "_EMAIL"] = "t@localhost";
    }
    const ProcessResult job = shell("pedrocli build -issue 32");
    CAPTURE(job.err);
    REQUIRE(job.exit_code == 0);
  }

  /// Runs a script in the current folder, which starts as the project. Its last folder stays.
  ProcessResult shell(const std::string& script) {
    const std::string left = folder.at("left");
    Command command{.argv = {"sh", "-ec", "trap 'pwd > " + left + "' EXIT\n" + script},
                    .folder = folder_.empty() ? project() : folder_};
    command.environment = environment();
    for (const auto& [name, value] : extra_environment) command.environment[name] = value;
    command.timeout_s = 120;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    folder_ = std::string(trim(folder.read("left")));
    return *std::move(result);
  }

  std::string job() { return text_of(*parse_json(run({"status", "-json"}).out), "id"); }

 private:
  void write_program() {
    const std::string replies = typed({call("file", {{"action", "replace"},
                                                     {"path", "src/fare.cc"},
                                                     {"old", "age <= 6"},
                                                     {"new", "age < 6"}}),
                                       kDelivered});
    folder.write("bin/replies", replies);
    folder.write("bin/pedrocli", "#!/bin/sh\ncase \"$*\" in\n*-dry-run*) ;;\nbuild*) exec " +
                                     std::string(PEDROCLI_PROGRAM) + " \"$@\" -backend manual <" +
                                     folder.at("bin/replies") + ";;\nesac\nexec " +
                                     PEDROCLI_PROGRAM + " \"$@\"\n");
    std::filesystem::permissions(folder.at("bin/pedrocli"), std::filesystem::perms::owner_all);
  }

  void write_project() {
    const std::string tree = PEDROCLI_SOURCE;
    std::filesystem::create_directories(folder.at("project/examples"));
    std::filesystem::copy(tree + "/examples/fares", folder.at("project/examples/fares"),
                          std::filesystem::copy_options::recursive);
    folder.write("project/src/fare.cc", "bool is_free(int age) { return age <= 6; }\n");
    folder.write("project/Makefile", "test:\n\tgrep -q 'age < 6' src/fare.cc\n");
    folder.write("project/.pedro/issues/1.md", "# Six-year-olds ride free\n\nThey should pay.\n");
    folder.write("project/.pedro/issues/32.md", "# Six-year-olds ride free\n\nThey should pay.\n");
    folder.write("project/.pedro/command/where.md",
                 "---\ndescription: Find code\nagent: triage\n---\nWhich code: $ARGUMENTS\n");
    folder.write("project/.gitignore", "*\n!src\n!src/*\n!Makefile\n!.pedro\n!.pedro/**\n");
    folder.write("project/notes.md", "Children of six pay half.\n");
    folder.write("project/docs/why.md", "Tests find faults early.\n");
    folder.write("project/blog/old.md", "# An old post\n\nIt is short.\n");
    folder.write("project/crash.log", "assertion failed\n");
    folder.write("project/person.json",
                 R"({"type":"object","properties":{"age":{"type":"integer","minimum":0,)"
                 R"("maximum":150}},"required":["age"],"additionalProperties":false})");
    folder.write("project/person.gbnf", "root ::= \"{\\\"age\\\": \" [0-9]{1,3} \"}\"\n");
    folder.write("project/reply.json", R"({"age": 4})");
    folder.write(".agents/skills/release-notes/SKILL.md",
                 "---\nname: release-notes\ndescription: Writes release notes\n---\nBe brief.\n");
    folder.write(".agents/skills/release-notes/references/style.md", "One line per change.\n");
    folder.write("project/request.json",
                 R"({"messages":[{"role":"user","content":"hello"}],"tools":[]})");
    folder.write("project/reply.txt", "hello");
    commit_project();
    git({"switch", "-q", "-c", "topic"});
    folder.write("project/src/fare.cc", "bool is_free(int age) { return age < 6; }\n");
    git({"commit", "-q", "-a", "-m", "Six-year-olds pay"});
    git({"switch", "-q", "main"});
  }

  void write_vocabularies() {
    for (const char* name : {"o200k_base", "cl100k_base"}) {
      folder.write("cache/pedrocli/vocab-files/" + std::string(name) + ".tiktoken",
                   rank_file({"ab", "abc"}));
    }
    const ProcessResult added =
        run({"vocab", "add", folder.write("given/cl100k_base.tiktoken", rank_file({"ab"})), "-name",
             "qwen2.5"});
    CAPTURE(added.err);
    REQUIRE(added.exit_code == 0);
  }

  std::string folder_;  // of the next script; "": the project
};

}  // namespace pedro
