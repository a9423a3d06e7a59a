#include <CLI/CLI.hpp>
#include <memory>

#include "agent_flags.h"
#include "command.h"
#include "take_up_job.h"

namespace pedro {

CommandFunction add_resume_command(CLI::App& command) {
  auto job = std::make_shared<std::string>();
  command.add_option("job", *job, "The job's id (default: the newest)");
  // Overrides the job's limits. take_up_job() passes on the command line, so the values are not
  // read here.
  auto limits = std::make_shared<LimitOptions>();
  add_limit_flags(command, *limits);
  return [job, limits](CommandContext& context) {
    return exit_code(take_up_job(context, *job), context.cancel);
  };
}

}  // namespace pedro
