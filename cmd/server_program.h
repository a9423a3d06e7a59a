#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "llm/model_file.h"

namespace pedro {

/// Finds how to start a llama-server: {"/usr/bin/llama-server"}, from PATH, else from
/// scripts/fetch-server, else {"/usr/bin/llama", "serve"}. Empty if there is none.
std::vector<std::string> find_server_program(const CommandContext& context);

/// Returns the models in the cache, where scripts/fetch-weights puts them, largest first. Leaves
/// out files without weights.
std::vector<ModelFile> cached_models(const CommandContext& context);

/// Returns the model's file: a path, or the name of a model in the cache. Without a name: the only
/// model in the cache. Errors (kUsage) list the names.
Result<ModelFile> find_model_file(const CommandContext& context, const std::string& given);

/// The next command for a user without a server.
struct ServeAdvice {
  std::string what;     ///< "start a server"
  std::string command;  ///< "pedrocli serve qwen2.5-coder-1.5b"

  std::string text() const { return what + " with `" + command + "`"; }
};
/// Names a program and a model that exist on this machine, else the command that gets the
/// missing one.
ServeAdvice serve_advice(const CommandContext& context);

}  // namespace pedro
