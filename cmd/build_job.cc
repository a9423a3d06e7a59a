#include "build_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/build_report.h"
#include "agent/build_run.h"
#include "agent/checked_tree.h"
#include "agent_job.h"
#include "base/text.h"
#include "build_start.h"
#include "first_checks.h"
#include "git/checkpoints.h"
#include "git/ignored_copies.h"
#include "git/work_branch.h"
#include "sandbox_setup.h"
#include "sys/process.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxOtherJobs = 500;

int exit_code_of(BuildEnd end) {
  switch (end) {
    case BuildEnd::kVerified:
      return kExitDone;
    case BuildEnd::kNotVerified:
    case BuildEnd::kNotReproduced:
      return kExitNotVerified;
    case BuildEnd::kLimit:
      return kExitLimit;
    case BuildEnd::kNothingChanged:
      return kExitNothingChanged;
    case BuildEnd::kBlocked:
      return kExitBlocked;
  }
  return kExitInternal;
}

// Removes the branches of jobs that ran at the same time as this one.
std::vector<std::string> not_of_other_jobs(const CommandContext& context, const std::string& id,
                                           std::vector<std::string> moved) {
  const Result<JobStore> store = open_job_store(context);
  if (!store || moved.empty()) return moved;
  const auto jobs = store->list(kMaxOtherJobs);
  const auto own = store->load(id);
  if (!jobs || !own) return moved;
  std::set<std::string> theirs;
  for (const JobSummary& job : *jobs) {
    if (job.state == JobState::kRunning || job.ended >= own->started) theirs.insert(job.branch);
  }
  std::erase_if(moved, [&](const std::string& line) {
    return theirs.contains(line.substr(0, line.find(": ")));
  });
  return moved;
}

// The steps from a branch to a commit.
class BuildJob {
 public:
  BuildJob(CommandContext& context, BuildSetup& setup, const ExecutorLimits& limits, AgentJob& job,
           FirstChecks& first, std::string until)
      : context_(context),
        setup_(setup),
        limits_(limits),
        job_(job),
        first_(first),
        until_(std::move(until)),
        branch_(setup.repository, setup.sandbox->level() == SandboxLevel::kBubblewrap) {
    setup.settings.git_is_protected = setup.sandbox->level() == SandboxLevel::kBubblewrap;
  }

  Result<int> run() {
    Result<int> code = work();
    if (code) return code;
    job_.fail(code.error(), setup_.settings.branch);
    return setup_.secrets->hide(code.error());
  }

 private:
  Result<int> work() {
    Result<std::optional<Baseline>> ended = first_.end(job_.cancel());
    if (!ended) {
      first_.undo();
      return ended.error();
    }
    std::optional<Baseline> baseline = *std::move(ended);
    PEDRO_RETURN_IF_ERROR(begin());
    job_.keep_checkpoints([this](int rounds) { return first_.take(rounds); });
    NoteStore notes(context_.files, join_path(job_.folder(), "notes"));
    SandboxRunner sandboxed(*setup_.sandbox);
    SandboxRunner sandboxed_checks(*setup_.check_sandbox);
    PEDRO_TRY(NetworkCommands networked, commands_in(sandboxed, setup_.config.config));
    PEDRO_TRY(NetworkCommands networked_checks,
              commands_in(sandboxed_checks, setup_.config.config));
    const auto forget = [this] { setup_.repository.forget_changes(); };
    const auto look = [this, forget](const Command&) {
      setup_.secrets->files().look();
      forget();
    };
    const auto forget_unless_read = [forget](const Command& command) {
      if (!only_reads(command.argv)) forget();
    };
    AfterRunner commands(networked, look);
    AfterRunner checks(networked_checks, look);
    AfterRunner programs(context_.processes, forget_unless_read);
    setup_.files->on_change(forget);
    setup_.repository.remember_changes();
    job_.on_wait([this](long long begin_ms, long long end_ms) {
      setup_.repository.add_wait(begin_ms, end_ms);
    });
    ToolContext tools{setup_.tree,
                      programs,
                      commands,
                      notes,
                      context_.environment,
                      job_.cancel(),
                      setup_.secrets->mask(),
                      &setup_.checks};
    tools.policy = &job_.gate();
    DiagnosticsSetup diagnostics(context_, setup_.config, setup_.tree.root(), commands,
                                 job_.observer());
    tools.references = diagnostics.references();
    const auto changes = [this] { return setup_.repository.changed_files(setup_.settings.base); };
    const ExecutorParts parts{job_.model(),  job_.info(),         setup_.kit.registry,
                              tools,         setup_.kit.feedback, job_.observer(),
                              setup_.trace,  job_.cancel(),       job_.answers(),
                              &job_.hooks(), diagnostics.get(),   changes};
    Executor executor(parts, limits_);
    CheckedTree tree = checked_tree(setup_, checks, job_.cancel(), job_.observer(), job_.answers());
    if (baseline) tree.use(*std::move(baseline));
    tools.checks = &tree.checks();
    setup_.settings.patch_path = join_path(job_.folder(), "changes.patch");
    BuildRun run(setup_.kit.workflow, setup_.task, setup_.settings, setup_.repository, tree,
                 executor, parts);
    CleanRun clean(context_, setup_, job_.id(), job_.cancel());
    if (setup_.config.config.clean_checks) {
      run.use_clean_runner([&](const CleanRequest& request) { return clean.run(request); });
    }
    PEDRO_TRY(Json edited, edited_output(context_.files, job_.folder(), until_));
    run.use_messages([this] { return job_.next_message(); });
    run.stop_after({until_, job_.rounds_before(), std::move(edited)});
    Result<BuildResult> result = run.run();
    if (!result) {
      rescue(run, result.error());
      return result.error();
    }
    return conclude(std::move(*result), executor);
  }

  // Switches to the job's branch. For a resumed job, restores its position and its files.
  Status begin() {
    std::string& branch = setup_.settings.branch;
    job_.set_turn(setup_.turn.number);
    if (setup_.turn.is_new) {
      PEDRO_RETURN_IF_ERROR(begin_turn());
    } else if (job_.is_resumed()) {
      PEDRO_RETURN_IF_ERROR(go_back());
    } else {
      PEDRO_RETURN_IF_ERROR(branch_.make(branch, setup_.settings.base));
      branch = branch_.name();
    }
    BuildStart start{setup_.task, setup_.settings,
                     shown_checks(setup_.checks, setup_.secrets->mask()), branch_.place()};
    Status started = setup_.turn.is_new ? keep_turn(start) : Status();
    if (started) {
      started = job_.start(setup_.task.title, setup_.repository.root(), branch, to_json(start),
                           setup_.own_tree ? setup_.own_tree->main_root() : "");
    }
    if (!started && (setup_.turn.is_new || !job_.is_resumed())) leave_branch();
    return started;
  }

  // Stores the message, then the new start: a start without its message could not be resumed.
  Status keep_turn(BuildStart& start) {
    PEDRO_RETURN_IF_ERROR(job_.keep_message());
    start.turn = setup_.turn;
    return keep_build_start(context_.files, job_.folder(), start);
  }

  // Switches to the branch of a finished job, for the work on a message.
  Status begin_turn() {
    if (!job_.answers().loss().empty()) {
      return usage_error(fmt::format("{}; start a new job: pedrocli build -base {}",
                                     job_.answers().loss(), setup_.place.name));
    }
    setup_.turn.first_round = job_.rounds_before();
    PEDRO_TRY(BranchPlace place, branch_.here(setup_.settings.base));
    place.name = setup_.place.name;
    place.stays = setup_.place.stays;
    PEDRO_TRY(auto files, setup_.repository.uncommitted_files());
    PEDRO_RETURN_IF_ERROR(
        branch_.resume(std::move(place), {setup_.settings.base, std::move(files)}));
    setup_.repository.forget_changes();
    (void)context_.files.remove(left_behind_path(job_.folder()));
    PEDRO_TRY(auto taken, checkpoints());
    first_.checkpoints().continue_with(std::move(taken));
    return {};
  }

  // Returns the commits of the checkpoints in the job's journal.
  Result<std::map<int, std::string>> checkpoints() const {
    PEDRO_TRY(const JobStore store, open_job_store(context_));
    PEDRO_TRY(JobSummary kept, store.load(job_.id()));
    return std::move(kept.checkpoints);
  }

  Status go_back() {
    LeftBehind left = read_left_behind(context_.files, job_.folder());
    const std::vector<ChangedFile>& dirty = setup_.settings.dirty;
    left.files.insert(left.files.end(), dirty.begin(), dirty.end());
    const BranchPlace& place = setup_.place;
    if (place.start_commit != place.base) setup_.repository.add_rules_of(place.start_commit);
    PEDRO_RETURN_IF_ERROR(branch_.resume(place, left));
    setup_.repository.forget_changes();
    (void)context_.files.remove(left_behind_path(job_.folder()));  // the branch is the job's again
    if (job_.answers().last_round().is_null()) return require_untouched();
    PEDRO_TRY(auto taken, checkpoints());
    if (!job_.has_begun_turn()) {
      first_.checkpoints().continue_with(std::move(taken));
      return require_untouched();
    }
    PEDRO_TRY(
        const Restored restored,
        first_.checkpoints().resume(setup_.settings.base, job_.rounds_before(), std::move(taken)));
    if (!restored.kept.empty()) {
      print_note(context_.global,
                 fmt::format(
                     "{} files restored to their state after round {}; previous state: git diff {}",
                     restored.files, restored.rounds, restored.kept));
    }
    return {};
  }

  // Saves the commit and the uncommitted files for a resumed job.
  void note_left(LeftBehind left) const {
    if (auto files = setup_.repository.with_cancel(none_).uncommitted_files()) {
      left.files = *std::move(files);
    }
    write_left(left);
  }

  void write_left(const LeftBehind& left) const {
    (void)context_.files.write_atomic(left_behind_path(job_.folder()), to_line(to_json(left)),
                                      0600);
  }

  // Switches the user's checkout back. A job's own work tree is removed instead.
  void come_back(Delivery& delivery) {
    if (delivery.commit.empty() || branch_.name().empty()) return;
    delivery.left_branch = setup_.own_tree.has_value();
    if (setup_.own_tree || setup_.config.config.git.stay_on_branch || branch_.began_on_it()) return;
    LeftBehind left{delivery.commit, {}};
    note_left(left);
    const Result<std::string> before = first_.checkpoints().at(setup_.turn.first_round);
    if (Status back = branch_.come_back(delivery, before ? *before : ""); !back) {
      delivery.stayed = back.error().message;
      write_left(left);  // the files may be the user's
    } else {
      first_.checkpoints().restore_shape({delivery.files.begin(), delivery.files.end()});
      note_left(left);  // the job's .gitignore no longer hides files
    }
    const Result<std::string> now = setup_.repository.with_cancel(none_).branch();
    delivery.left_branch = now && *now != delivery.branch;
  }

  void say_where(const Delivery& delivery) const {
    if (delivery.commit.empty()) return;
    std::string text = "pedrocli: the work is on branch " + delivery.branch;
    if (delivery.left_branch) text += ": git switch " + delivery.branch;
    if (!delivery.stayed.empty()) {
      text += fmt::format("; the checkout was not restored: {}", delivery.stayed);
    }
    print_note(context_.global, text);
  }

  // Requires the initial files if no round can be resumed.
  Status require_untouched() const {
    PEDRO_TRY(auto now, setup_.repository.changed_files(setup_.settings.base));
    std::erase_if(now, [](const ChangedFile& file) { return file.generated; });
    const std::vector<ChangedFile>& before = setup_.settings.dirty;
    if (std::equal(now.begin(), now.end(), before.begin(), before.end(), same_state)) return {};
    return usage_error(
        fmt::format("{}: no round of it kept its files, and they have changed since it started: "
                    "see `git diff {:.10}` on branch {}; restore them, or start a new job",
                    job_.id(), setup_.settings.base, setup_.settings.branch));
  }

  // Saves the changes of a failed job on its branch, or removes the branch.
  void rescue(const BuildRun& run, const Error& error) {
    if (branch_.name().empty()) return leave_branch();
    const std::string why = error.kind == ErrorKind::kInterrupted ? "interrupted" : error.message;
    Result<Delivery> saved = run.save(setup_.repository.with_cancel(none_), why);
    if (!saved) {
      print_note(context_.global, "pedrocli: cannot commit the changes: " + saved.error().message +
                                      "; they are in the work tree");
    } else if (saved->nothing_changed) {
      leave_branch();
    } else {
      warn_if_not_signed(*saved);
      come_back(*saved);
      say_where(*saved);
    }
  }

  void warn_if_not_signed(const Delivery& delivery) {
    if (delivery.not_signed.empty()) return;
    print_note(context_.global,
               "pedrocli: warning: the commit is not signed: " + delivery.not_signed);
  }

  void leave_branch() {
    if (const Status left = branch_.leave(); !left) {
      print_note(context_.global,
                 fmt::format("pedrocli: HEAD was not restored: {}", left.error().message));
    }
  }

  Result<int> conclude(BuildResult result, const Executor& executor) {
    warn_if_not_signed(result.delivery);
    if (result.delivery.nothing_changed || branch_.name().empty()) leave_branch();
    come_back(result.delivery);
    result.removed_ignored = setup_.repository.removed_ignored();
    result.copied_ignored = take_copied(result.removed_ignored);
    const auto moved = branch_.moved_branches();
    if (moved) result.moved_branches = not_of_other_jobs(context_, job_.id(), *moved);
    // The work is verified and committed, but the delivery is incomplete.
    const bool unpublished = result.delivery.problem && result.end == BuildEnd::kVerified;
    JobOutcome outcome{unpublished ? "not_published" : std::string(to_string(result.end)),
                       unpublished ? exit_code_of(*result.delivery.problem, context_.cancel)
                                   : exit_code_of(result.end),
                       result.delivery.branch, result.delivery.commit,
                       build_report(setup_.kit.workflow, setup_.task, result, executor)};
    outcome.tries = result.tries;
    outcome.reason = result.reason;
    Result<int> code = job_.end(std::move(outcome));
    say_where(result.delivery);
    return code;
  }

  // Moves the paths that an undo restores out of `removed`.
  std::vector<std::string> take_copied(std::vector<std::string>& removed) const {
    if (removed.empty()) return {};
    const auto copied = IgnoredCopies(setup_.repository, job_.id()).paths();
    if (!copied) return {};
    const auto others = std::stable_partition(
        removed.begin(), removed.end(),
        [&copied](const std::string& path) { return !copied->contains(path); });
    std::vector<std::string> taken(others, removed.end());
    removed.erase(others, removed.end());
    return taken;
  }

  CommandContext& context_;
  BuildSetup& setup_;
  ExecutorLimits limits_;
  AgentJob& job_;
  FirstChecks& first_;
  std::string until_;  // the phase after which the job stops
  WorkBranch branch_;
  const CancelToken none_;  // Ctrl-C must not stop the return to the user's branch
};

}  // namespace

CheckedTree checked_tree(const BuildSetup& setup, ProcessRunner& commands, const CancelToken& job,
                         RunObserver& observer, AnswerLog& answers) {
  return CheckedTree(setup.repository, setup.tree, commands, setup.checks, setup.settings.base,
                     setup.config.config.limits.check_timeout_seconds, job, setup.secrets->mask(),
                     observer, answers, setup.task.title + "\n" + setup.task.text);
}

// Removes the phase of answers if there are no tries. Applies model.phases.
void use_habits(BuildSetup& setup, const AnswerHabits& habits) {
  SolveSettings& solve = setup.settings.solve;
  solve.tries = habits.tries;
  solve.grounding = setup.config.config.model.grounding;
  solve.temperature = habits.temperature;
  solve.forms.clear();
  for (const std::string& form : habits.forms) {
    if (const auto known = parse_answer_form(form)) solve.forms.push_back(*known);
  }
  std::vector<Phase>& phases = setup.kit.workflow.phases;
  if (solve.tries == 0) std::erase_if(phases, [](const Phase& phase) { return phase.answers; });
  const std::string& wanted = setup.config.config.model.phases;
  if (wanted == "long") {
    std::erase_if(phases, [](const Phase& phase) { return phase.skip_when_unshown; });
  }
  for (Phase& phase : phases) {
    if (phase.answers) phase.optional = phase.optional && habits.phases;
    if (wanted == "short") phase.skip_when_unshown = false;
  }
}

// Requires a phase of tool calls. Its output is in the conversation of the later phases, so the job
// takes the long way.
Status stop_after(BuildSetup& setup, const std::string& until) {
  if (until.empty()) return {};
  std::vector<std::string> names;
  for (const Phase& phase : setup.kit.workflow.phases) {
    if (!phase.answers && !phase.skip_when_unshown) names.push_back(phase.name);
  }
  setup.config.config.model.phases = "long";
  setup.config.config.model.tries = 0;
  if (std::find(names.begin(), names.end(), until) != names.end()) return {};
  return usage_error(
      fmt::format("-until: expected one of the phases {}, got '{}'", join(names, ", "), until));
}

Result<int> run_build_job(CommandContext& context, BuildSetup& setup, const BuildOptions& options,
                          ServerConnections& connections) {
  PEDRO_RETURN_IF_ERROR(stop_after(setup, options.until));
  FirstChecks first(context, setup);
  auto opened = AgentJob::open(context, setup.config, setup.trace, *setup.secrets, connections,
                               setup.kit.workflow.agent, options,
                               [&first](const AgentJob& job) { return first.begin(job); });
  if (!opened) {
    first.undo();
    return opened.error();
  }
  AgentJob* const job = opened->get();
  keep_mcp_images(setup.kit.servers, job->images());
  ExecutorLimits limits = job->limits();
  limits.tool_bias = setup.kit.tool_bias;
  use_habits(setup, habits_of(setup.config.config.model.tries, connections.registry, job->info()));
  return BuildJob(context, setup, limits, *job, first, options.until).run();
}

}  // namespace pedro
