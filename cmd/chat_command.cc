#include <CLI/CLI.hpp>
#include <memory>

#include "chat.h"
#include "command.h"

namespace pedro {
namespace {

Result<int> run_chat(CommandContext& context, const ChatOptions& options) {
  if (context.global.backend == "manual") {
    return usage_error("-backend manual: standard input belongs to the conversation");
  }
  Chat chat(context, options);
  return chat.run();
}

}  // namespace

CommandFunction add_chat_command(CLI::App& command) {
  auto options = std::make_shared<ChatOptions>();
  command.add_option("message", options->first, "The first message");
  command.add_option("--workdir", options->workdir, "Project folder (default: the current folder)");
  command.add_option("--session", options->session, "Continue the session with this id");
  command.add_flag("--continue", options->continues, "Continue the newest session of the folder");
  command.footer(
      "Messages are questions at first; /mode build makes them tasks, and /help lists more.\n"
      "Ctrl-C pauses the work. Then a message steers it, Enter continues it, /stop gives it up.\n"
      "Sessions are those of `pedrocli acp`, so an editor can continue them.");
  return [options](CommandContext& context) {
    return exit_code(run_chat(context, *options), context.cancel);
  };
}

}  // namespace pedro
