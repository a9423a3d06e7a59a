#pragma once

#include <memory>
#include <string>

#include "support/git_folder.h"
#include "tools/builtin.h"

namespace pedro {

/// A tool on a real folder, with a process runner that the test chooses.
class CommandBench {
 public:
  explicit CommandBench(std::unique_ptr<Tool> made) : tool(std::move(made)) {}

  Result<ToolResult> try_run(const std::string& action, const std::string& args) {
    const auto tree = WorkTree::open(files, folder.tree());
    REQUIRE(tree.ok());
    ActionManifest manifest;
    manifest.name = action;
    ProcessRunner& processes = fake ? static_cast<ProcessRunner&>(*fake) : real;
    ToolContext context{*tree,   processes,   commands ? *commands : processes,
                        notes,   environment, cancel,
                        nullptr, checks};
    return tool->run(manifest, Json::parse(args), context);
  }

  ToolResult run(const std::string& action, const std::string& args) {
    const auto result = try_run(action, args);
    REQUIRE(result.ok());
    return *result;
  }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner real;
  std::unique_ptr<FakeProcessRunner> fake;  ///< replaces `real` if set
  ProcessRunner* commands = nullptr;        ///< runs commands that the model causes; null: the same
  NoteStore notes{files, folder.at("notes")};
  Environment environment;
  CancelToken cancel;
  const std::vector<Check>* checks = nullptr;
  std::unique_ptr<Tool> tool;
};

}  // namespace pedro
