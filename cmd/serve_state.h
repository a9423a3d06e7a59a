#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "sys/process_alive.h"

namespace pedro {

/// A llama-server that a running `pedrocli serve` started.
///
///     if (const auto served = running_serve(context)) use(served->url);
struct RunningServe {
  std::string url;
  std::string model;
  long long context_tokens = 0;  ///< window of one slot; 0: the server chose it
  int slots = 1;
  std::string started;            ///< RFC 3339, UTC
  ProcessIdentity keeper;         ///< the `pedrocli serve`
  ProcessIdentity server;         ///< its llama-server
  std::vector<std::string> argv;  ///< the command line of the server
};

/// Returns the folder of `serve` below the state folder. Error (kUsage): no home folder.
Result<std::string> serve_folder(const CommandContext& context);

/// Writes the record of a started server, readable by this user only. Errors: those of
/// FileSystem::write_atomic().
Status write_served(CommandContext& context, const RunningServe& served);
void forget_served(CommandContext& context);

/// Returns the server whose llama-server still runs; nothing if there is none. A damaged record
/// counts as none.
std::optional<RunningServe> running_serve(const CommandContext& context);

}  // namespace pedro
