#include <CLI/CLI.hpp>
#include <memory>

#include "agent_flags.h"
#include "command.h"
#include "job/inbox.h"
#include "take_up_job.h"

namespace pedro {
namespace {

Result<int> resume(CommandContext& context, const std::string& job, const std::string& message) {
  if (!message.empty()) PEDRO_RETURN_IF_ERROR(Inbox::check(message));
  context.global.message = message;
  return take_up_job(context, job);
}

}  // namespace

CommandFunction add_resume_command(CLI::App& command) {
  auto job = std::make_shared<std::string>();
  auto message = std::make_shared<std::string>();
  command.add_option("job", *job, "The job's id (default: the newest)");
  command.add_option("message", *message, "A message to the model, as `pedrocli tell` sends it");
  // Overrides the job's limits. take_up_job() passes on the command line, so the values are not
  // read here.
  auto limits = std::make_shared<LimitOptions>();
  add_limit_flags(command, *limits);
  return [job, message, limits](CommandContext& context) {
    return exit_code(resume(context, *job, *message), context.cancel);
  };
}

}  // namespace pedro
