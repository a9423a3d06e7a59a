#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <random>

#include "agent/build_report.h"
#include "agent/build_run.h"
#include "agent/journal_observer.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "job/job_store.h"
#include "job/journal.h"
#include "model_factory.h"
#include "progress.h"
#include "sys/terminal.h"
#include "task_reader.h"

namespace pedro {
namespace {

Error usage(std::string message) {
  return Error{ErrorKind::kUsage, std::move(message)};
}

std::vector<Check> choose_checks(const BuildOptions& options, const LoadedConfig& config,
                                 const WorkTree& tree) {
  std::vector<Check> checks;
  for (const std::string& command : options.test_cmd)
    checks.push_back({"test", command, "-test-cmd"});
  if (!checks.empty()) return checks;
  for (const std::string& command : config.config.checks) {
    checks.push_back({"check", command, config.origin_of("checks").place});
  }
  return checks.empty() ? detect_checks(tree) : checks;
}

int exit_code_of(BuildEnd end) {
  switch (end) {
    case BuildEnd::kVerified:
      return kExitDone;
    case BuildEnd::kNotVerified:
      return kExitNotVerified;
    case BuildEnd::kLimit:
      return kExitLimit;
    case BuildEnd::kNothingChanged:
      return kExitNothingChanged;
  }
  return kExitInternal;
}

// One `pedrocli build`, from flags to exit code. Members are made in the order in which they are
// needed; each step may end the command.
class BuildCommand {
 public:
  BuildCommand(CommandContext& context, const BuildOptions& options)
      : context_(context), options_(options) {}

  Result<int> run() {
    if (Status ready = prepare(); !ready) return ready.error();
    if (options_.dry_run) return dry_run();
    return work();
  }

 private:
  // Everything that can be found out without a model and without touching anything.
  Status prepare() {
    const Result<std::string> folder = find_project(context_, options_.workdir);
    if (!folder) return folder.error();
    Result<LoadedConfig> config = load_command_config(context_, *folder);
    if (!config) return config.error();
    config_ = std::move(*config);
    if (const std::string& mode = config_.config.model.mode; mode == "schema" || mode == "hybrid") {
      return Error{ErrorKind::kConfig,
                   fmt::format("{}: model.mode: '{}' is not supported yet; use 'grammar' or "
                               "'unconstrained'",
                               config_.origin_of("model.mode").place, mode)};
    }
    const std::string& configured = config_.config.project.workdir;
    const bool elsewhere = options_.workdir.empty() && !configured.empty();
    Result<Repository> repository =
        Repository::open(context_.files, context_.processes, context_.cancel,
                         elsewhere ? join_path(*folder, configured) : *folder);
    if (!repository) return repository.error();
    repository_.emplace(std::move(*repository));
    Result<Trace> trace = make_trace(context_.global);
    if (!trace) return trace.error();
    trace_ = std::move(*trace);
    if (Status status = look_at_record(); !status) return status;
    if (Status status = look_at_tree(); !status) return status;
    Result<BuildTask> task = read_task(context_, options_, repository_->root(), connections_.http);
    if (!task) return task.error();
    task_ = std::move(*task);
    return load_agent();
  }

  // A recording in the work tree would count as a change and be committed.
  Status look_at_record() {
    const GlobalOptions& global = context_.global;
    if (global.record.empty()) return {};
    if (global.record == global.replay) return usage("-record and -replay name the same file");
    const Result<std::string> folder =
        context_.files.canonical(std::string(folder_name(global.record)));
    if (!folder) return usage("-record " + folder.error().message);
    if ((*folder + "/").starts_with(repository_->root() + "/")) {
      return usage("-record " + global.record + ": put it outside of the project");
    }
    if (context_.files.info(global.record).bytes == 0) return {};
    const Result<std::string> old = context_.files.read(global.record, 256u << 20);
    if (old && old->starts_with(R"({"type":"recording")")) return {};
    return usage("-record " + global.record + ": the file exists and is no recording");
  }

  Status look_at_tree() {
    Result<WorkTree> tree = WorkTree::open(context_.files, repository_->root());
    if (!tree) return tree.error();
    tree_.emplace(std::move(*tree));
    Result<std::vector<ChangedFile>> dirty = repository_->uncommitted_files();
    if (!dirty) return dirty.error();
    if (!dirty->empty() && !options_.allow_dirty && !options_.dry_run) {
      std::string names;
      for (std::size_t i = 0; i < dirty->size() && i < 5; ++i) names += "\n  " + (*dirty)[i].path;
      if (dirty->size() > 5) names += fmt::format("\n  and {} more", dirty->size() - 5);
      return usage(
          fmt::format("the work tree has uncommitted changes:{}\ncommit or stash them, or "
                      "give -allow-dirty to work on top of them",
                      names));
    }
    settings_.dirty = std::move(*dirty);
    Result<std::string> base =
        repository_->commit_id(options_.base.empty() ? "HEAD" : options_.base);
    if (!base) return base.error().at("-base");
    settings_.base = std::move(*base);
    Result<std::string> branch = repository_->branch();
    if (!branch) return branch.error();
    start_branch_ = *branch;
    settings_.base_branch = options_.base.empty() ? *branch : options_.base;
    return {};
  }

  Status load_agent() {
    const std::string overrides = join_path(repository_->root(), ".pedro");
    Result<Registry> registry = Registry::open(context_.files, join_path(overrides, "tools"));
    if (!registry) return registry.error();
    registry_.emplace(std::move(*registry));
    Result<PromptLibrary> library =
        PromptLibrary::open(context_.files, join_path(overrides, "prompts"));
    if (!library) return library.error();
    Result<Workflow> workflow = load_workflow(*library, *registry_, "build");
    if (!workflow) return workflow.error();
    workflow_.emplace(std::move(*workflow));
    Result<Feedback> feedback = Feedback::load(*library);
    if (!feedback) return feedback.error();
    feedback_.emplace(std::move(*feedback));
    checks_ = choose_checks(options_, config_, *tree_);
    if (checks_.empty()) {
      print_note(context_.global,
                 "pedrocli: warning: no checks found, so the result cannot be verified; name them "
                 "with -test-cmd or 'checks' in .pedrocli.json");
    }
    if (!options_.no_commit) {
      settings_.branch = options_.branch.empty() ? branch_name(config_.config.git.branch_prefix,
                                                               task_.issue_number, task_.title)
                                                 : options_.branch;
    }
    settings_.push = options_.push;
    settings_.remote = config_.config.git.remote;
    return {};
  }

  ExecutorLimits limits() const {
    ExecutorLimits limits;
    limits.max_rounds = options_.max_rounds.value_or(config_.config.limits.max_inference_runs);
    limits.reply_tokens = config_.config.model.max_tokens;
    limits.temperature = config_.config.model.temperature;
    limits.constrained = config_.config.model.mode != "unconstrained";
    const int minutes = config_.config.limits.max_task_duration_minutes;
    if (minutes > 0) limits.deadline_ticks_ms = context_.clock.ticks_ms() + minutes * 60'000LL;
    return limits;
  }

  CheckedTree checked_tree(RunObserver& observer) {
    return CheckedTree(*repository_, *tree_, checks_, settings_.base,
                       config_.config.limits.check_timeout_seconds, observer);
  }

  Progress make_progress() const {
    const bool terminal = is_terminal(StandardStream::kError);
    const bool colour = terminal && context_.environment.get("NO_COLOR").empty() &&
                        context_.environment.get("TERM") != "dumb";
    const Verbosity verbosity = context_.global.quiet     ? Verbosity::kQuiet
                                : context_.global.verbose ? Verbosity::kVerbose
                                                          : Verbosity::kNormal;
    return Progress(context_.clock, verbosity, terminal && colour, colour,
                    terminal_columns(StandardStream::kError));
  }

  Result<int> dry_run() {
    Progress progress = make_progress();
    CheckedTree tree = checked_tree(progress);
    NoteStore notes(context_.files, "");
    ToolContext tools{*tree_,  context_.processes, notes, context_.environment, context_.cancel,
                      &checks_};
    ManualStandIn model;
    const ExecutorParts parts{model,    info_,  *registry_,     tools,          *feedback_,
                              progress, trace_, context_.clock, context_.cancel};
    Executor executor(parts, limits());
    BuildRun run(*workflow_, task_, settings_, *repository_, tree, executor, parts);
    const Result<std::vector<Message>> prompt = run.first_prompt();
    if (!prompt) return prompt.error();
    std::string text = fmt::format("task: {}\nbase: {}\nbranch: {}\n", task_.title, settings_.base,
                                   settings_.branch.empty() ? "(none)" : settings_.branch);
    for (const Check& check : checks_) {
      text += fmt::format("check: {} (from {})\n", check.command, check.source);
    }
    for (const Phase& phase : workflow_->phases) {
      text += fmt::format("phase: {}, at most {} rounds\n", phase.name, phase.max_rounds);
    }
    for (const Message& turn : *prompt) {
      text +=
          fmt::format("\n--- {}\n{}\n", turn.role == Role::kSystem ? "system" : "user", turn.text);
    }
    print(text);
    return kExitDone;
  }

  Result<int> work() {
    JobStore store(context_.files, context_.environment.state_folder());
    std::random_device random;
    const Result<std::string> id =
        store.create(context_.clock, "build", [&] { return static_cast<std::uint32_t>(random()); });
    if (!id) return id.error();
    const std::string folder = store.folder(*id);
    settings_.patch_path = join_path(folder, "changes.patch");
    Journal journal(context_.files, context_.clock, folder,
                    context_.global.json ? JournalSink(print) : JournalSink());
    const Result<int> code = run_job(*id, folder, journal);
    if (!code && !journal_closed_) {
      (void)journal.error(code.error().message);
      (void)journal.thread_completed({"error", error_exit(code.error()), settings_.branch, "", ""});
    }
    return code;
  }

  int error_exit(const Error& error) const {
    if (context_.cancel.cancelled()) return kExitSignal + context_.cancel.signal();
    switch (error.kind) {
      case ErrorKind::kUsage:
        return kExitUsage;
      case ErrorKind::kConfig:
        return kExitConfig;
      case ErrorKind::kModel:
        return kExitModel;
      case ErrorKind::kLimit:
        return kExitLimit;
      case ErrorKind::kDenied:
        return kExitDenied;
      default:
        return kExitInternal;
    }
  }

  Result<int> run_job(const std::string& id, const std::string& folder, Journal& journal) {
    Progress progress = make_progress();
    JournalObserver observer(journal, progress);
    const Status started =
        journal.thread_started({id, "build", task_.title, repository_->root(), settings_.branch,
                                config_.config.model.model_name, config_.config.model.type,
                                PEDROCLI_VERSION, this_process()});
    if (!started) return started.error();
    Result<std::unique_ptr<Model>> model =
        make_model(context_, config_, trace_, progress.events(), connections_);
    if (!model) return model.error();
    Result<ModelInfo> info = (*model)->open();
    if (!info) return info.error();
    info_ = std::move(*info);
    if (Status made = make_branch(); !made) return made.error();
    print_note(context_.global,
               fmt::format("job {}, model {} ({} tokens of context){}", id, info_.name,
                           info_.context_tokens,
                           settings_.branch.empty() ? "" : ", branch " + settings_.branch));
    if (!info_.grammar_enforced && info_.backend == "llamacpp") {
      observer.on_notice("the server does not obey grammars: calls are not constrained");
    }
    NoteStore notes(context_.files, join_path(folder, "notes"));
    ToolContext tools{*tree_,  context_.processes, notes, context_.environment, context_.cancel,
                      &checks_};
    const ExecutorParts parts{**model,  info_,  *registry_,     tools,          *feedback_,
                              observer, trace_, context_.clock, context_.cancel};
    Executor executor(parts, limits());
    CheckedTree tree = checked_tree(observer);
    BuildRun run(*workflow_, task_, settings_, *repository_, tree, executor, parts);
    const Result<BuildResult> result = run.run();
    if (!result) return rescue(result.error(), run);
    return conclude(*result, executor, folder, journal);
  }

  // An interrupted switch is undone: the user must not be left on a branch with nothing on it.
  Status make_branch() {
    if (settings_.branch.empty()) return {};
    Result<std::string> made = repository_->create_branch(settings_.branch, settings_.base);
    if (made) {
      settings_.branch = std::move(*made);
      return {};
    }
    const CancelToken none;
    const Result<Repository> repository =
        Repository::open(context_.files, context_.processes, none, repository_->root());
    if (repository) {
      const Result<std::string> now = repository->branch();
      if (now && *now != start_branch_) leave_branch(*repository, *now);
    }
    return made.error();
  }

  // The job cannot go on: what is in the tree is kept on the branch, or the branch goes away.
  Error rescue(Error error, const BuildRun& run) {
    if (settings_.branch.empty()) return error;
    const CancelToken none;  // a Ctrl-C must not stop the rescue
    Result<Repository> repository =
        Repository::open(context_.files, context_.processes, none, repository_->root());
    if (!repository) return error;
    const std::string why = error.kind == ErrorKind::kInterrupted ? "interrupted" : error.message;
    const Result<Delivery> saved = run.save(*repository, why);
    if (!saved) {
      print_note(context_.global, "pedrocli: the changes could not be committed: " +
                                      saved.error().message + "; they are in the work tree");
    } else if (saved->nothing_changed) {
      leave_branch(*repository, settings_.branch);
    } else {
      print_note(context_.global,
                 fmt::format("pedrocli: what was done so far is on branch {}", saved->branch));
    }
    return error;
  }

  // Back to where the user was; the branch has nothing on it.
  void leave_branch(const Repository& repository, const std::string& branch) {
    const std::string& back = start_branch_.empty() ? settings_.base : start_branch_;
    if (repository.switch_to(back)) (void)repository.delete_branch(branch);
  }

  Result<int> conclude(const BuildResult& result, const Executor& executor,
                       const std::string& folder, Journal& journal) {
    if (!settings_.branch.empty() && result.delivery.nothing_changed)
      leave_branch(*repository_, settings_.branch);
    const std::string report = build_report(task_, result, executor);
    const std::string path = join_path(folder, "report.md");
    if (Status written = context_.files.write_atomic(path, report, 0600); !written) {
      return written.error();
    }
    const int code = result.delivery.problem && result.end == BuildEnd::kVerified
                         ? kExitUsage
                         : exit_code_of(result.end);
    const Status ended =
        journal.thread_completed({std::string(to_string(result.end)), code, result.delivery.branch,
                                  result.delivery.commit, path});
    journal_closed_ = true;
    if (!ended) return ended.error();
    if (!context_.global.json) print(report);
    return code;
  }

  // Never asked: -dry-run only renders.
  struct ManualStandIn : Model {
    Result<ModelInfo> open() override { return ModelInfo{}; }
    Result<Reply> generate(const GenerateRequest&) override {
      return Error{ErrorKind::kInternal, "a dry run does not generate"};
    }
    Result<long long> count(std::span<const Message>) override { return 0; }
  };

  CommandContext& context_;
  const BuildOptions& options_;
  ServerConnections connections_;
  LoadedConfig config_;
  Trace trace_;
  std::optional<Repository> repository_;
  std::optional<WorkTree> tree_;
  std::optional<Registry> registry_;
  std::optional<Workflow> workflow_;
  std::optional<Feedback> feedback_;
  std::vector<Check> checks_;
  BuildTask task_;
  BuildSettings settings_;
  ModelInfo info_;
  std::string start_branch_;
  bool journal_closed_ = false;
};

}  // namespace

CommandFunction add_build_command(CLI::App& command) {
  auto options = std::make_shared<BuildOptions>();
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--description", options->description, "What to do, instead of or besides it");
  command.add_option("--file", options->file, "A file that says what to do, or -");
  command.add_option("--workdir", options->workdir, "Project folder (default: around the current)");
  command.add_option("--branch", options->branch, "Name of the new branch");
  command.add_option("--base", options->base, "Start from this branch or commit (default: HEAD)");
  command.add_option("--test-cmd", options->test_cmd, "A command that must pass; may be repeated")
      ->allow_extra_args(false);  // else "[ -f x ]" would be taken for a list
  command.add_option("--max-rounds", options->max_rounds, "Inferences in the whole job")
      ->check(CLI::Range(1, 100000));
  command.add_flag("--push", options->push, "Push the branch and open a draft pull request");
  command.add_flag("--no-commit", options->no_commit, "Leave the changes uncommitted; no branch");
  command.add_flag("--dry-run", options->dry_run, "Show what would be done and the first prompt");
  command.add_flag("--allow-dirty", options->allow_dirty, "Work on top of uncommitted changes");
  return [options](CommandContext& context) {
    const Result<int> code = BuildCommand(context, *options).run();
    return code ? *code : report_error(code.error(), context.cancel);
  };
}

}  // namespace pedro
