#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "choose_job.h"
#include "command.h"
#include "sys/folder_lock.h"

namespace pedro {
namespace {

// A running job holds the lock on its folder. A process id alone may have been reused.
Result<int> cancel_job(CommandContext& context, const std::string& given) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  PEDRO_TRY(const JobSummary job, store.load(id));
  if (FolderLock::take(store.folder(id))) {
    const bool ended = job.state != JobState::kRunning;
    return usage_error(fmt::format("{}: is not running{}", id,
                                   ended ? fmt::format("; it is {}", to_string(job.state)) : ""));
  }
  if (Status asked = end_process(job.process); !asked) return asked.error().at(id);
  if (context.global.json) {
    print_json({{"type", "cancel"}, {"job", id}, {"pid", job.process.pid}});
  } else {
    print(fmt::format("{}: was asked to stop; `pedrocli status {}` shows the result\n", id, id));
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_cancel_command(CLI::App& command) {
  auto id = std::make_shared<std::string>();
  command.add_option("job", *id, "The job's id")->required();
  return running(cancel_job, id);
}

}  // namespace pedro
