#include "agent_job.h"

#include <fmt/format.h>

#include <random>

#include "context_setup.h"
#include "job/job_store.h"
#include "policy_setup.h"
#include "sys/terminal.h"

namespace pedro {

Progress make_progress(const CommandContext& context, const Config& config) {
  const bool terminal = is_terminal(StandardStream::kError);
  const bool colour = terminal && context.environment.get("NO_COLOR").empty() &&
                      context.environment.get("TERM") != "dumb";
  const bool verbose = context.global.verbose || config.debug.enabled;
  const Verbosity verbosity = context.global.quiet ? Verbosity::kQuiet
                              : verbose            ? Verbosity::kVerbose
                                                   : Verbosity::kNormal;
  return Progress(context.clock, verbosity, terminal && colour, colour,
                  terminal_columns(StandardStream::kError));
}

ExecutorLimits limits_of(const CommandContext& context, const LoadedConfig& loaded,
                         std::optional<int> max_rounds) {
  const Config& config = loaded.config;
  ExecutorLimits limits;
  if (auto window = context_settings(loaded)) limits.context = *std::move(window);
  limits.max_rounds = max_rounds.value_or(config.limits.max_inference_runs);
  limits.reply_tokens = config.model.max_tokens;
  limits.temperature = config.model.temperature;
  limits.mode = *parse_generation_mode(config.model.mode);
  limits.thinking_tokens = config.model.thinking_tokens;
  limits.logit_bias = config.model.logit_bias;
  const int minutes = config.limits.max_task_duration_minutes;
  if (minutes > 0) limits.deadline_ticks_ms = context.clock.ticks_ms() + minutes * 60'000LL;
  return limits;
}

AgentJob::AgentJob(CommandContext& context, const LoadedConfig& config,
                   ServerConnections& connections, std::string agent)
    : context_(context),
      agent_(std::move(agent)),
      progress_(make_progress(context, config.config)),
      token_log_(context.files, context.clock),
      monitor_(context, config, connections.http, connections.registry,
               [this](std::string_view line) { progress_.on_notice(line); }),
      heard_by_(&progress_) {}

AgentJob::~AgentJob() {
  if (const Status& logged = token_log_.status(); !logged) {
    print_note(context_.global, "pedrocli: tokens.jsonl is not whole: " + logged.error().message);
  }
}

Result<std::unique_ptr<AgentJob>> AgentJob::open(CommandContext& context,
                                                 const LoadedConfig& config, Trace& trace,
                                                 ServerConnections& connections,
                                                 std::string agent) {
  std::unique_ptr<AgentJob> job(new AgentJob(context, config, connections, std::move(agent)));
  Status ready = job->monitor_.begin();
  if (ready) ready = job->open_model(config, trace, connections);
  if (ready) ready = job->make_folder();  // from here on there is something to tell
  if (!ready) return ready.error();
  job->open_gate(config);
  return job;
}

Status AgentJob::open_model(const LoadedConfig& config, Trace& trace,
                            ServerConnections& connections) {
  trace.record = [this](TraceTopic, const Json& event) { token_log_.add(event); };
  GenerateEvents events = progress_.events();
  events.on_notice = [this](std::string_view message) { heard_by_->on_notice(message); };
  auto model = make_model(context_, config, trace, std::move(events), connections);
  if (!model) return model.error();
  model_ = *std::move(model);
  Result<ModelInfo> info = model_->open();
  if (!info) return info.error();
  info_ = *std::move(info);
  return {};
}

Status AgentJob::make_folder() {
  Result<JobStore> store = open_job_store(context_);
  if (!store) return store.error();
  std::random_device random;
  Result<std::string> id =
      store->create(context_.clock, agent_, [&] { return static_cast<std::uint32_t>(random()); });
  if (!id) return id.error();
  id_ = *std::move(id);
  folder_ = store->folder(id_);
  Result<FolderLock> lock = FolderLock::take(folder_);
  if (!lock) return lock.error();
  lock_ = *std::move(lock);
  token_log_.open(folder_);
  journal_ = std::make_unique<Journal>(context_.files, context_.clock, folder_,
                                       [this](std::string_view line) {
                                         if (context_.global.json) print(line);
                                         monitor_.hear(line);
                                       });
  observer_ = std::make_unique<JournalObserver>(*journal_, progress_);
  return {};
}

void AgentJob::open_gate(const LoadedConfig& config) {
  if (Result<Policy> policy = read_policy(config)) policy_ = *std::move(policy);
  AskForPermission ask = ask_on_terminal(context_);
  if (ask) {
    ask = [this, ask](const PolicyQuestion& question) {
      progress_.make_room();
      return ask(question);
    };
  }
  gate_ = std::make_unique<PolicyGate>(policy_, std::move(ask), [this](const PolicyRecord& record) {
    return observer_->on_decision(record);
  });
}

void AgentJob::expect(const ExecutorLimits& limits) {
  const long long left_ms = limits.deadline_ticks_ms - context_.clock.ticks_ms();
  monitor_.expect({limits.max_rounds, limits.deadline_ticks_ms > 0 ? left_ms : 0});
}

Status AgentJob::start(const std::string& title, const std::string& workdir,
                       const std::string& branch) {
  const Status written =
      journal_->thread_started({id_, agent_, title, workdir, branch, info_.name, info_.backend,
                                info_.format, PEDROCLI_VERSION, this_process()});
  if (!written) return written;
  heard_by_ = observer_.get();
  print_note(context_.global,
             fmt::format("job {}, model {} ({} tokens of context){}{}", id_, info_.name,
                         info_.context_tokens, branch.empty() ? "" : ", branch ", branch));
  return {};
}

Result<int> AgentJob::end(JobOutcome outcome) {
  const bool short_of_success = outcome.exit_code == kExitNotVerified ||
                                outcome.exit_code == kExitLimit ||
                                outcome.exit_code == kExitNothingChanged;
  if (short_of_success && !gate_->denied_asks().empty()) outcome.exit_code = kExitDenied;
  outcome.report += denied_lines(gate_->denied_asks());
  heard_by_ = &progress_;
  if (!context_.global.json && outcome.print_report)
    print(outcome.report);  // first of all: the disk may be full
  const std::string path = join_path(folder_, "report.md");
  if (Status written = context_.files.write_atomic(path, outcome.report, 0600); !written) {
    return written.error();
  }
  if (!outcome.result.is_null()) {
    const Status written = context_.files.write_atomic(join_path(folder_, "result.json"),
                                                       to_pretty(outcome.result) + "\n", 0600);
    if (!written) return written.error();
  }
  ended_ = true;
  const Status written = journal_->thread_completed(
      {outcome.outcome, outcome.exit_code, outcome.branch, outcome.commit, path, outcome.result});
  monitor_.end();
  if (!written) return written.error();
  return outcome.exit_code;
}

void AgentJob::fail(const Error& error, const std::string& branch) {
  heard_by_ = &progress_;
  if (ended_) return;
  (void)journal_->error(error.message);
  (void)journal_->thread_completed(
      {"error", exit_code_of(error, context_.cancel), branch, "", "", {}});
  monitor_.end();
}

}  // namespace pedro
