#include "read_setup.h"

#include <fmt/format.h>

#include "git/repository.h"
#include "model_factory.h"
#include "tools/project_checks.h"

namespace pedro {
namespace {

// Checks the permissions of all phases, which the project's prompts can change.
Status check_reads_only(const Workflow& workflow) {
  for (const Phase& phase : workflow.phases) {
    for (const Permission permission : phase.allow) {
      if (permission == Permission::kRead) continue;
      return Error{ErrorKind::kConfig,
                   fmt::format("prompts/{}: phase '{}': allow: this agent only reads, got '{}'",
                               workflow.agent, phase.name, to_string(permission))};
    }
  }
  return {};
}

}  // namespace

Result<ReadSetup> prepare_reading(CommandContext& context, const TaskOptions& options) {
  PEDRO_TRY(AgentProject project, open_agent_project(context, options.workdir));
  PEDRO_TRY(const std::string work,
            work_folder(context, project.folder, project.config, options.workdir));
  const Result<Repository> repository =
      Repository::open(context.files, context.processes, context.cancel, work);
  const std::string root = repository ? repository->root() : work;
  PEDRO_TRY(Trace trace, make_trace(context.global));
  PEDRO_RETURN_IF_ERROR(check_record(context, root));
  PEDRO_TRY(auto files, ConfinedFileSystem::open(root));
  PEDRO_TRY(WorkTree tree, WorkTree::open(*files, root));
  PEDRO_TRY(AgentKit kit, load_agent(context, project.config, root, options));
  PEDRO_RETURN_IF_ERROR(check_reads_only(kit.workflow));
  std::vector<Check> checks = detect_checks(tree);
  auto secrets = std::make_unique<Secrets>(context, project.config.config, std::vector{root});
  for (const auto& one : kit.servers) secrets->follow(*one);
  secrets->cover(trace);
  return ReadSetup{std::move(project.config), std::move(trace), std::move(files),
                   std::move(tree),           std::move(kit),   std::move(checks),
                   std::move(secrets)};
}

}  // namespace pedro
