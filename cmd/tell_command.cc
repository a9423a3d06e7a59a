#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "choose_job.h"
#include "command.h"
#include "job/inbox.h"
#include "sys/folder_lock.h"
#include "text_input.h"

namespace pedro {
namespace {

// A running job holds the lock on its folder.
Result<int> tell(CommandContext& context, const std::string& given, std::string text) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  if (FolderLock::take(store.folder(id))) {
    const bool done = store.brief(id).state == JobState::kDone;
    return Error{
        ErrorKind::kUsage,
        fmt::format("{}: is not running; {}", id,
                    done ? "it is done" : fmt::format("try `pedrocli resume {} MESSAGE`", id))};
  }
  if (text.empty()) {
    PEDRO_TRY(TextInput input, read_input(context, "-", Inbox::kMaxTextBytes));
    text = std::move(input.text);
  }
  if (Status added = Inbox::add(context.files, store.folder(id), text); !added) {
    return added.error().at(id);
  }
  if (context.global.json) {
    print_json({{"type", "tell"}, {"job", id}});
  } else {
    print(fmt::format("{}: reads the message before its next round\n", id));
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_tell_command(CLI::App& command) {
  auto id = std::make_shared<std::string>();
  auto text = std::make_shared<std::string>();
  command.add_option("job", *id, "The job's id")->required();
  command.add_option("message", *text, "The message (default: standard input)");
  command.footer(
      "The message stays in the job's conversation and survives `resume` and replay.\n"
      "A message that comes after the last round is in the report.");
  return [id, text](CommandContext& context) {
    return exit_code(tell(context, *id, *text), context.cancel);
  };
}

}  // namespace pedro
