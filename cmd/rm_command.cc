#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "job_removal.h"

namespace pedro {
namespace {

Status remove_named(CommandContext& context, const JobStore& store, const std::string& given) {
  PEDRO_TRY(const std::string id, store.find(given));
  PEDRO_TRY(const RemovedJob removed, remove_job(context, store, id));
  Json left = Json::array();
  for (const std::string& what : {removed.left_refs, removed.left_tree}) {
    if (what.empty()) continue;
    print_note(context.global, fmt::format("{}: not removed: {}", id, what));
    left.push_back(what);
  }
  const int refs = removed.refs;
  print(context.global.json
            ? to_line({{"type", "rm"}, {"job", id}, {"refs", refs}, {"left", left}}) + "\n"
            : fmt::format("{}: removed{}\n", id,
                          refs == 0 ? "" : fmt::format(", with {} refs of its checkpoints", refs)));
  return {};
}

Result<int> run_rm(CommandContext& context, const std::vector<std::string>& jobs) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  int code = kExitDone;
  for (const std::string& job : jobs) {
    if (Status removed = remove_named(context, store, job); !removed) {
      code = report_error(removed.error(), context.cancel);
    }
    if (context.cancel.cancelled()) break;
  }
  return code;
}

}  // namespace

CommandFunction add_rm_command(CLI::App& command) {
  auto jobs = std::make_shared<std::vector<std::string>>();
  command.add_option("job", *jobs, "The jobs' ids")->required();
  return running(run_rm, jobs);
}

}  // namespace pedro
