#include <algorithm>
#include <iterator>
#include <utility>

#include "build_job.h"
#include "sandbox_setup.h"

namespace pedro {
namespace {

constexpr int kServerMemory_mb = 4096;

}  // namespace

DiagnosticsSetup::DiagnosticsSetup(CommandContext& context, const LoadedConfig& config,
                                   std::string root, ProcessRunner& commands, RunObserver& observer)
    : context_(context), config_(config.config), root_(std::move(root)) {
  if (config_.diagnostics.mode == "off") return;
  auto own = diagnostics::read_file_checks(config.origin_of("diagnostics.on_edit").place,
                                           config_.diagnostics.on_edit);
  std::vector<diagnostics::FileCheck> checks;
  if (own) checks = *std::move(own);  // check_settings() has reported errors
  std::ranges::move(diagnostics::builtin_file_checks(), std::back_inserter(checks));
  diagnostics::EditReporter reporter(
      std::move(checks), commands, root_,
      [&observer](const std::string& text) { observer.on_notice(text); });
  servers_ = std::make_unique<diagnostics::LanguageServers>(
      diagnostics::builtin_servers(),
      [this](const diagnostics::ServerRow& row) { return place_for(row); }, commands, root_,
      [&observer](const std::string& text) { observer.on_notice(text); });
  reporter.use_servers(*servers_);
  diagnostics_ = std::make_unique<RunDiagnostics>(std::move(reporter));
}

Result<ProcessRunner*> DiagnosticsSetup::place_for(const diagnostics::ServerRow& row) {
  const auto exists = [&](const std::string& name) {
    return context_.files.info(join_path(root_, name)).kind == FileKind::kFile;
  };
  if (!row.needs.empty() && std::ranges::none_of(row.needs, exists)) {
    return static_cast<ProcessRunner*>(nullptr);
  }
  PEDRO_TRY(ScratchFolder folder,
            ScratchFolder::make_outside(root_, context_.environment.get("TMPDIR")));
  PEDRO_TRY(const std::string path, context_.files.canonical(folder.path()));
  Config limited = config_;
  if (limited.sandbox.max_memory_mb == 0) limited.sandbox.max_memory_mb = kServerMemory_mb;
  PEDRO_TRY(Sandbox sandbox, open_server_sandbox(context_, limited, {root_, path, false, {}, {}}));
  auto kept = std::make_unique<Sandbox>(std::move(sandbox));
  auto runner = std::make_unique<SandboxRunner>(*kept);
  places_.push_back({std::move(folder), std::move(kept), std::move(runner)});
  return static_cast<ProcessRunner*>(places_.back().runner.get());
}

}  // namespace pedro
