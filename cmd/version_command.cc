#include <CLI/CLI.hpp>

#include "command.h"

namespace pedro {

CommandFunction add_version_command(CLI::App&) {
  return [](CommandContext& context) {
    print(context.global.json ? "{\"version\":\"" PEDROCLI_VERSION "\"}\n"
                              : "pedrocli " PEDROCLI_VERSION "\n");
    return static_cast<int>(kExitDone);
  };
}

}  // namespace pedro
