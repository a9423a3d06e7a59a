#include "agent_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "agent/user_messages.h"
#include "base/text.h"
#include "base/utf8.h"
#include "context_setup.h"
#include "job/job_store.h"
#include "messages_api/message_format.h"
#include "monitor/figure_sums.h"
#include "policy_setup.h"
#include "secrets/secret_mask.h"
#include "sys/interrupted.h"
#include "sys/scratch_folder.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

// The states in the note file of an outside step.
constexpr std::string_view kNoteBegun = "begun\n";
constexpr std::string_view kNoteDone = "done\n";
constexpr std::uint64_t kMaxNoteBytes = 100;
constexpr std::uint64_t kMaxExtendedBytes = 1u << 20;

}  // namespace

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

AgentJob::AgentJob(CommandContext& context, const LoadedConfig& config, const Secrets& secrets,
                   ServerConnections& connections, std::string agent)
    : context_(context),
      secrets_(secrets),
      notification_(context.environment, context.processes, config.config.notify,
                    is_terminal(StandardStream::kError) ? stderr : nullptr),
      cancel_(context.cancel, context.clock),
      agent_(std::move(agent)),
      progress_(make_progress(context, config.config)),
      token_log_(context.files, context.clock),
      monitor_(context, config, connections.http, connections.registry,
               [this](std::string_view line) { progress_.on_notice(line); }),
      heard_by_(&progress_),
      input_ms_(context.clock.ticks_ms()) {
  if (context.global.live) live_.emplace(context.clock, secrets);
}

AgentJob::~AgentJob() {
  if (const Status& logged = token_log_.status(); !logged) {
    print_note(context_.global, "pedrocli: tokens.jsonl is incomplete: " + logged.error().message);
  }
}

Result<std::unique_ptr<AgentJob>> AgentJob::open(CommandContext& context,
                                                 const LoadedConfig& config, Trace& trace,
                                                 const Secrets& secrets,
                                                 ServerConnections& connections, std::string agent,
                                                 const LimitOptions& limits,
                                                 const BeforeModel& before_model) {
  std::unique_ptr<AgentJob> job(
      new AgentJob(context, config, secrets, connections, std::move(agent)));
  Result<std::vector<Hook>> hooks =
      read_hooks(config.origin_of("hooks").place, config.config.hooks);
  if (!hooks) return hooks.error();
  job->given_hooks_ = *std::move(hooks);
  Status ready = job->monitor_.begin();
  job->max_time_s_ =
      limits.max_time_s.value_or(config.config.limits.max_task_duration_minutes * 60LL);
  job->begin_time();
  if (ready) ready = job->make_folder();
  if (ready && before_model) ready = before_model(*job);
  if (ready) ready = job->open_model(config, trace, connections);
  if (ready && job->is_resumed()) ready = job->check_model();
  if (ready) ready = job->set_limits(config, limits, connections.registry);
  if (!ready && context.global.resume.empty()) job->remove_folder();
  if (!ready && is_late(ready.error(), job->cancel_)) {
    return Error{ErrorKind::kLimit, "the time (-max-time) ran out before the model was ready"};
  }
  if (!ready) return ready.error();
  job->open_gate(config);
  job->begin_time();
  return job;
}

// Requires settings that open_agent_project() has checked.
Status AgentJob::set_limits(const LoadedConfig& loaded, const LimitOptions& options,
                            const ModelRegistry& known) {
  const Config& config = loaded.config;
  if (auto window = context_settings(loaded)) limits_.context = *std::move(window);
  limits_.max_rounds = options.max_rounds.value_or(config.limits.max_inference_runs);
  limits_.max_tokens = options.max_tokens.value_or(0);
  limits_.reply_tokens = config.model.max_tokens;
  limits_.temperature = temperature_of(loaded, known, info_);
  limits_.mode = *parse_generation_mode(config.model.mode);
  limits_.thinking_tokens = config.model.thinking_tokens;
  limits_.grounding = config.model.grounding;
  limits_.logit_bias = config.model.logit_bias;
  limits_.log_is_full = [this] { return journal_->is_full() || answers_.is_full(); };
  if (!options.max_cost) return {};
  const KnownModel* model = known.model(info_.name);
  if (cost_of({}, model).unpriced > 0) {
    return usage_error(
        fmt::format("-max-cost: the price of the model '{}' is unknown; add a row with it "
                    "(docs/tokens.md), or give -max-tokens",
                    info_.name));
  }
  limits_.max_cost = *options.max_cost;
  limits_.cost = [model](const Usage& usage) { return cost_of(usage, model).dollars; };
  return {};
}

void AgentJob::begin_time() {
  const long long left_ms = max_time_s_ * 1000 - elapsed_ms();
  if (max_time_s_ > 0) cancel_.end_at(context_.clock.ticks_ms() + left_ms);
  monitor_.expect({limits_.max_rounds, max_time_s_ > 0 ? left_ms : 0});
}

Status AgentJob::open_model(const LoadedConfig& config, Trace& trace,
                            ServerConnections& connections) {
  trace.record = [this](TraceTopic, const Json& event) { token_log_.add(event); };
  GenerateEvents events = progress_.events();
  events.on_notice = [this](std::string_view message) { heard_by_->on_notice(message); };
  if (live_) events.on_text = [this](std::string_view text, long long) { live_->hear_text(text); };
  events.on_retry = [this](std::string_view message) { heard_by_->on_retry(message); };
  // A resumed job keeps the form of its conversation.
  const bool as_messages = is_resumed()
                               ? message_format_named(text_of(model_before(), "format")).has_value()
                               : !images_->empty();
  PEDRO_TRY(model_, make_model(context_, cancel_, config, trace, std::move(events), connections,
                               {&*images_, as_messages}));
  PEDRO_TRY(info_, model_->open());
  logged_.emplace(*model_, answers_);
  if (waits_for_messages()) served_model_ = logged_->served_model();
  return {};
}

// Fails if the model differs: the conversation depends on these properties.
Status AgentJob::check_model() const {
  const Json& before = model_before();
  const std::string name = text_of(before, "name");
  const std::string format = text_of(before, "format");
  const long long context = number_of(before, "context_tokens");
  if (name == info_.name && format == info_.format && context == info_.context_tokens) return {};
  return usage_error(
      fmt::format("{}: started with the model {} ({}, {} tokens of context), but the server has {} "
                  "({}, {}); serve the original model",
                  id_, name, format, context, info_.name, info_.format, info_.context_tokens));
}

int AgentJob::rounds_before() const {
  return static_cast<int>(number_of(answers_.last_round(), "rounds"));
}

// Notes that the job continues after a limit, which every later run of its log has to know.
Status AgentJob::extend_limits(const JobStore& store) {
  const std::string path = join_path(folder_, "extended.json");
  const auto text = context_.files.read(path, kMaxExtendedBytes);
  const Result<Json> noted = text ? parse_json(*text) : Result<Json>(Json::array());
  if (!noted) return noted.error().at(path);
  for (const Json& one : *noted) {
    limits_.extended_after[static_cast<int>(number_of(one, "rounds"))] = text_of(one, "phase");
  }
  PEDRO_TRY(const JobSummary ended, store.load(id_));
  const JobSummary brief = store.brief(id_);
  is_new_turn_ =
      brief.state == JobState::kDone || (brief.is_finished() && !context_.global.message.empty());
  if (ended.outcome != "limit" && ended.outcome != "blocked") return {};
  limits_.extended_after[rounds_before()] = ended.phase;
  Json all = Json::array();
  for (const auto& [rounds, phase] : limits_.extended_after) {
    all.push_back({{"rounds", rounds}, {"phase", phase}});
  }
  return context_.files.write_atomic(path, to_line(all), 0600);
}

Status AgentJob::take_folder(const JobStore& store) {
  id_ = context_.global.resume;
  folder_ = store.folder(id_);
  PEDRO_TRY(lock_, FolderLock::take(folder_));
  Result<AnswerLog> answers = AnswerLog::reopen(context_.files, folder_);
  if (!answers) return answers.error().at(id_);
  answers_ = *std::move(answers);
  return extend_limits(store);
}

// Stores the images of the command line for the model.
Status AgentJob::add_images() {
  for (const std::string& path : context_.global.images) {
    PEDRO_TRY(const Image image, read_image(context_.files, path));
    PEDRO_RETURN_IF_ERROR(images_->add(image));
  }
  return {};
}

Status AgentJob::make_folder() {
  PEDRO_TRY(JobStore store, open_job_store(context_));
  if (!context_.global.resume.empty()) {
    PEDRO_RETURN_IF_ERROR(take_folder(store));
  } else {
    std::random_device random;
    PEDRO_TRY(std::string id, store.create(context_.clock, agent_,
                                           [&] { return static_cast<std::uint32_t>(random()); }));
    id_ = std::move(id);
    folder_ = store.folder(id_);
    PEDRO_TRY(lock_, FolderLock::take(folder_));
  }
  inbox_.emplace(context_.files, folder_);
  images_.emplace(context_.files, join_path(folder_, "images"));
  PEDRO_RETURN_IF_ERROR(add_images());
  limits_.inbox = &*inbox_;
  heartbeat_.emplace(store.heartbeat_path(id_));
  token_log_.open(folder_);
  journal_ = std::make_unique<Journal>(context_.files, context_.clock, folder_,
                                       [this](std::string_view line) {
                                         if (live_) {
                                           live_->print_event(line);
                                         } else if (context_.global.json) {
                                           print(line);
                                         }
                                         monitor_.hear(line);
                                       });
  return {};
}

// Removes the folder of a job that did not start.
void AgentJob::remove_folder() {
  heartbeat_.reset();
  if (!folder_.empty()) remove_tree(folder_);
}

void AgentJob::open_gate(const LoadedConfig& config) {
  if (Result<policy::Policy> policy = read_policy(config)) policy_ = *std::move(policy);
  policy::AskForPermission ask = ask_on_terminal(cancel_);
  if (live_) {
    ask = [this](const policy::Question& question) { return live_->ask(question, cancel_); };
  } else if (ask) {
    ask = [this, ask](const policy::Question& question) {
      progress_.make_room();
      notify("asks for permission");
      auto answer = ask(question);
      input_ms_ = context_.clock.ticks_ms();
      return answer;
    };
  }
  gate_ = std::make_unique<policy::Gate>(
      policy_, std::move(ask),
      [this](const policy::Record& record) { return masked_->on_decision(record); });
}

void AgentJob::notify(const std::string& event) {
  const auto after_ms = static_cast<double>(context_.clock.ticks_ms() - input_ms_);
  const std::string why = notification_.send(fmt::format("job {} {}", id_, event), after_ms / 1000);
  if (!why.empty()) print_note(context_.global, "pedrocli: warning: notify.command: " + why);
}

void AgentJob::make_hooks(const std::string& workdir) {
  Json common = {{"session_id", id_},
                 {"transcript_path", join_path(folder_, "journal.jsonl")},
                 {"cwd", workdir},
                 {"permission_mode", "default"}};
  HookRunner runner(std::move(given_hooks_), context_.processes, workdir, std::move(common));
  hooks_ =
      std::make_unique<RunHooks>(std::move(runner), secrets_.mask(), answers_, *masked_, cancel_);
}

Json AgentJob::round_state() const {
  return {{"elapsed_ms", elapsed_ms() + context_.clock.ticks_ms() - began_ms_},
          {"ended_ms", context_.clock.now_ms()},
          {"turn", turn_},
          {"standing", gate_->standing()},
          {"denied", gate_->denied_asks()}};
}

// Returns the command line without -live, which is about the output of this process only.
static std::vector<std::string> without_live(std::vector<std::string> args) {
  const auto words = std::find(args.begin(), args.end(), "--");
  args.erase(
      std::remove_if(args.begin(), words,
                     [](const std::string& arg) { return arg == "-live" || arg == "--live"; }),
      words);
  return args;
}

// Writes the inputs that a resumed job needs.
Status AgentJob::begin_log(const std::string& workdir, Json given) {
  PEDRO_TRY(const std::string folder, context_.files.canonical("."));
  const Json start = {
      {"version", PEDROCLI_VERSION},
      {"agent", agent_},
      {"args", without_live(context_.global.args)},
      {"folder", folder},
      {"workdir", workdir},
      {"model",
       {{"name", info_.name}, {"format", info_.format}, {"context_tokens", info_.context_tokens}}},
      {"journal", to_json(journal_->place())},
      {"given", std::move(given)}};
  // The journal must reach the disk before the log that refers to it.
  PEDRO_RETURN_IF_ERROR(journal_->sync());
  PEDRO_TRY(answers_, AnswerLog::create(context_.files, folder_, start));
  return {};
}

// Restores the journal at the end of the last complete round, and the answers of the user so far.
Status AgentJob::take_up_log() {
  const Json& last = answers_.last_round();
  const Json& place = member(last.is_null() ? answers_.start() : last, "journal");
  PEDRO_RETURN_IF_ERROR(journal_->go_on_from(journal_place_from(place)));
  std::set<std::string> standing;
  for (const Json& rule : member(last, "standing")) standing.insert(rule.get<std::string>());
  std::vector<std::string> denied;
  for (const Json& line : member(last, "denied")) denied.push_back(line.get<std::string>());
  gate_->restore(std::move(standing), std::move(denied));
  monitor_.hear_earlier(join_path(folder_, "journal.jsonl"));
  return {};
}

Status AgentJob::start(const std::string& title, const std::string& workdir,
                       const std::string& branch, Json given, const std::string& repository) {
  const bool resumed = is_resumed();
  PEDRO_RETURN_IF_ERROR(keep_message());  // before the journal loses its end
  if (is_new_turn_) PEDRO_RETURN_IF_ERROR(keep_earlier_report());
  if (resumed) PEDRO_RETURN_IF_ERROR(take_up_log());
  started_ = true;
  header_ = {id_,        agent_,        title,        workdir,          branch,
             info_.name, info_.backend, info_.format, PEDROCLI_VERSION, this_process()};
  header_.repository = repository;
  header_.moves_cache = info_.can.shifts_cache;
  if (resumed) header_.resumed_after = rounds_before();
  PEDRO_RETURN_IF_ERROR(journal_->thread_started(header_));
  if (!resumed) {
    PEDRO_RETURN_IF_ERROR(begin_log(workdir, std::move(given)));
  }
  began_ms_ = context_.clock.ticks_ms();
  observer_ = std::make_unique<JournalObserver>(*journal_, answers_, progress_);
  observer_->set_round_state([this] { return round_state(); });
  masked_ = std::make_unique<MaskedObserver>(secrets_.mask(), *observer_);
  heard_by_ = masked_.get();
  make_hooks(workdir);
  print_note(context_.global,
             fmt::format("job {}, model {} ({} tokens of context){}{}", id_, info_.name,
                         info_.context_tokens, branch.empty() ? "" : ", branch ", branch));
  if (resumed) {
    print_note(context_.global, fmt::format("continuing after {} rounds", rounds_before()));
    if (!answers_.loss().empty()) observer_->on_notice(answers_.loss());
  }
  return {};
}

Status AgentJob::keep_report(const JobOutcome& outcome) {
  const std::string path = join_path(folder_, "report.md");
  Status written = context_.files.write_atomic(path, outcome.report, 0600);
  if (!written || outcome.result.is_null()) return written;
  return context_.files.write_atomic(join_path(folder_, "result.json"),
                                     to_pretty(outcome.result) + "\n", 0600);
}

// Notes a step before performing it, so that a resumed job does not repeat it. The step may have
// had visible effects.
Status AgentJob::do_once(const OutsideStep& step) {
  const std::string note = join_path(folder_, "outside" + step.flag);
  if (context_.files.info(note).kind != FileKind::kMissing) {
    const auto state = context_.files.read(note, kMaxNoteBytes);
    if (state && *state == kNoteDone) return {};
    return usage_error("the job stopped during this step, so it may already be done: check first");
  }
  PEDRO_RETURN_IF_ERROR(context_.files.write_atomic(note, kNoteBegun, 0600));
  const Status done = step.run();
  // A failed step may be repeated.
  const Status noted =
      done ? context_.files.write_atomic(note, kNoteDone, 0600) : context_.files.remove(note);
  return done ? noted : done;
}

// Performs all steps. The first failure determines the outcome of the job.
void AgentJob::do_outside(JobOutcome& outcome) {
  std::string failed;
  for (const OutsideStep& step : outcome.outside) {
    const Status done = step.once ? do_once(step) : step.run();
    if (done) continue;
    failed += make_printable(
        fmt::format("- {}: {}\n  continue with: {}\n", step.flag,
                    replace_all(trim(secrets_.hide(done.error().message)), "\n", "\n  "),
                    replace_all(step.go_on, "{job}", id_)));
    if (outcome.exit_code != kExitDone) continue;
    outcome.outcome = "not_published";
    outcome.exit_code = exit_code_of(done.error(), context_.cancel);
  }
  if (failed.empty()) return;
  failed = "\n## Not done\n\n" + failed;
  outcome.report += failed;
  if (context_.global.json || !outcome.print_report) {
    print_error("pedrocli: " + std::string(trim(failed)));
  } else {
    print(failed);
  }
}

// Returns a section for the report, "" if the model has read all messages.
static std::string unread_messages(Inbox& inbox) {
  const Result<std::vector<std::string>> late = inbox.take();
  if (!late || late->empty()) return "";
  std::string text = "\n## Messages that the model has not read\n\n";
  for (const std::string& message : *late) text += "- " + replace_all(message, "\n", "\n  ") + "\n";
  return text;
}

Result<int> AgentJob::end(JobOutcome outcome) {
  const bool short_of_success =
      outcome.exit_code == kExitNotVerified || outcome.exit_code == kExitLimit ||
      outcome.exit_code == kExitNothingChanged || outcome.exit_code == kExitBlocked;
  if (short_of_success && !gate_->denied_asks().empty()) outcome.exit_code = kExitDenied;
  if (outcome.exit_code == kExitLimit || outcome.exit_code == kExitBlocked) {
    outcome.report += fmt::format("\nTo continue: pedrocli resume {}\n", id_);
  }
  outcome.report =
      secrets_.hide(outcome.report + denied_lines(gate_->denied_asks()) + unread_messages(*inbox_));
  outcome.result = masked_json(secrets_.mask(), std::move(outcome.result));
  heard_by_ = &progress_;
  if (!context_.global.json && outcome.print_report)
    print(outcome.report);  // first, because the disk may be full
  PEDRO_RETURN_IF_ERROR(keep_report(outcome));
  if (!outcome.outside.empty()) {
    do_outside(outcome);
    PEDRO_RETURN_IF_ERROR(keep_report(outcome));
  }
  const std::string path = join_path(folder_, "report.md");
  if (hooks_) hooks_->end_session(outcome.outcome);
  ended_ = true;
  before_end_ = journal_->place();
  const Status written = journal_->thread_completed(
      {outcome.outcome, outcome.exit_code, outcome.branch, outcome.commit, path, outcome.result,
       outcome.tries, secrets_.hide(outcome.reason)});
  monitor_.end();
  notify("ended: " + outcome.outcome);
  if (!written) return written.error();
  return outcome.exit_code;
}

void AgentJob::fail(const Error& error, const std::string& branch) {
  heard_by_ = &progress_;
  if (ended_ || (is_resumed() && !started_)) return;
  journal_->mute(false);
  (void)journal_->error(secrets_.hide(error.message), error.kind == ErrorKind::kModel
                                                          ? Journal::Failure::kServers
                                                          : Journal::Failure::kOurs);
  if (hooks_) hooks_->end_session("error");
  (void)journal_->thread_completed(
      {"error", exit_code_of(error, context_.cancel), branch, "", "", {}});
  monitor_.end();
  notify("failed");
}

}  // namespace pedro
