#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <random>

#include "agent/build_report.h"
#include "agent/build_run.h"
#include "agent/journal_observer.h"
#include "agent/tool_set.h"
#include "agent/work_branch.h"
#include "base/json.h"
#include "base/utf8.h"
#include "build_setup.h"
#include "command.h"
#include "context_setup.h"
#include "job/journal.h"
#include "job/token_log.h"
#include "model_factory.h"
#include "progress.h"
#include "sys/terminal.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

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

ExecutorLimits limits_of(const CommandContext& context, const BuildOptions& options,
                         const Config& config) {
  ExecutorLimits limits;
  limits.max_rounds = options.max_rounds.value_or(config.limits.max_inference_runs);
  limits.reply_tokens = config.model.max_tokens;
  limits.temperature = config.model.temperature;
  limits.constrained = config.model.mode != "unconstrained";
  limits.logit_bias = config.model.logit_bias;
  const int minutes = config.limits.max_task_duration_minutes;
  if (minutes > 0) limits.deadline_ticks_ms = context.clock.ticks_ms() + minutes * 60'000LL;
  return limits;
}

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

CheckedTree checked_tree(const BuildSetup& setup, ProcessRunner& commands, RunObserver& observer) {
  return CheckedTree(setup.repository, setup.tree, commands, setup.checks, setup.settings.base,
                     setup.config.config.limits.check_timeout_seconds, observer);
}

// Never asked: -dry-run only renders.
struct NoModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "a dry run does not generate"};
  }
};

Json tool_json_of(const DeclaredTool& tool) {
  const Result<Json> parameters = parse_json(tool.parameters);
  return {{"name", tool.name},
          {"description", tool.description},
          {"parameters", parameters ? *parameters : Json()}};
}

Json dry_run_json(const BuildSetup& setup, const ChatRequest& prompt) {
  Json json = {{"type", "dry_run"},           {"task", setup.task.title},
               {"base", setup.settings.base}, {"branch", setup.settings.branch},
               {"checks", Json::array()},     {"phases", Json::array()},
               {"tools", Json::array()},      {"prompt", Json::array()}};
  for (const Check& check : setup.checks) {
    json["checks"].push_back({{"command", check.command}, {"from", check.source}});
  }
  for (const Phase& phase : setup.workflow.phases) {
    json["phases"].push_back({{"name", phase.name}, {"max_rounds", phase.max_rounds}});
  }
  for (const DeclaredTool& tool : prompt.tools) json["tools"].push_back(tool_json_of(tool));
  for (const ChatMessage& turn : prompt.messages) {
    json["prompt"].push_back({{"role", to_string(turn.role)}, {"text", text_of(turn)}});
  }
  return json;
}

std::string dry_run_text(const BuildSetup& setup, const ChatRequest& prompt) {
  std::string text =
      fmt::format("task: {}\nbase: {}\nbranch: {}\n", setup.task.title, setup.settings.base,
                  setup.settings.branch.empty() ? "(none)" : setup.settings.branch);
  for (const Check& check : setup.checks) {
    text += fmt::format("check: {} (from {})\n", check.command, check.source);
  }
  for (const Phase& phase : setup.workflow.phases) {
    text += fmt::format("phase: {}, at most {} rounds\n", phase.name, phase.max_rounds);
  }
  if (!prompt.tools.empty()) text += "\n--- tools, declared in front\n";
  for (const DeclaredTool& tool : prompt.tools) text += to_line(tool_json_of(tool)) + "\n";
  for (const ChatMessage& turn : prompt.messages) {
    text += fmt::format("\n--- {}\n{}\n", to_string(turn.role), text_of(turn));
  }
  return text;
}

Result<int> dry_run(CommandContext& context, BuildSetup& setup) {
  Progress progress = make_progress(context, setup.config.config);
  CheckedTree tree = checked_tree(setup, context.processes, progress);
  NoteStore notes(context.files, "");
  ToolContext tools{setup.tree,          context.processes, context.processes, notes,
                    context.environment, context.cancel,    &setup.checks};
  NoModel model;
  const ModelInfo info = model_by_format(setup.config);
  const ExecutorParts parts{model,    info,        setup.registry, tools,         setup.feedback,
                            progress, setup.trace, context.clock,  context.cancel};
  Executor executor(parts, {});
  BuildRun run(setup.workflow, setup.task, setup.settings, setup.repository, tree, executor, parts);
  Result<std::vector<ChatMessage>> messages = run.first_prompt();
  if (!messages) return messages.error();
  ChatRequest prompt;
  prompt.messages = *std::move(messages);
  if (info.has_tools) {
    prompt.tools = declared_tools(setup.registry, setup.workflow, setup.feedback);
  }
  print(context.global.json ? to_line(dry_run_json(setup, prompt)) + "\n"
                            : make_printable(dry_run_text(setup, prompt)));
  return kExitDone;
}

// What the model has to say: to the terminal, and as soon as there is a job, to its journal.
class Notices {
 public:
  explicit Notices(RunObserver& first) : observer_(&first) {}
  void pass_to(RunObserver& observer) { observer_ = &observer; }
  void say(std::string_view message) { observer_->on_notice(message); }

 private:
  RunObserver* observer_;
};

// One job from its first journal entry to its exit code.
class BuildJob {
 public:
  BuildJob(CommandContext& context, BuildSetup& setup, const ExecutorLimits& limits, std::string id,
           std::string folder)
      : context_(context),
        setup_(setup),
        limits_(limits),
        id_(std::move(id)),
        folder_(std::move(folder)),
        journal_(context.files, context.clock, folder_,
                 context.global.json ? JournalSink([](std::string_view line) { print(line); })
                                     : JournalSink()),
        branch_(setup.repository) {}

  Result<int> run(Model& model, const ModelInfo& info, Progress& progress, Notices& notices) {
    JournalObserver observer(journal_, progress);
    notices.pass_to(observer);
    Result<int> code = work(model, info, observer);
    notices.pass_to(progress);
    if (!code && !closed_) {
      (void)journal_.error(code.error().message);
      (void)journal_.thread_completed(
          {"error", exit_code_of(code.error(), context_.cancel), setup_.settings.branch, "", ""});
    }
    return code;
  }

 private:
  Result<int> work(Model& model, const ModelInfo& info, RunObserver& observer) {
    std::string& branch = setup_.settings.branch;
    if (Status made = branch_.make(branch, setup_.settings.base); !made) return made.error();
    branch = branch_.name();
    const Status started = journal_.thread_started(
        {id_, "build", setup_.task.title, setup_.repository.root(), branch, info.name, info.backend,
         info.format, PEDROCLI_VERSION, this_process()});
    if (!started) {
      leave_branch();
      return started.error();
    }
    print_note(context_.global,
               fmt::format("job {}, model {} ({} tokens of context){}{}", id_, info.name,
                           info.context_tokens, branch.empty() ? "" : ", branch ", branch));
    if (!info.grammar_enforced && info.backend == "llamacpp") {
      observer.on_notice("the server does not obey grammars: calls are not constrained");
    }
    NoteStore notes(context_.files, join_path(folder_, "notes"));
    SandboxRunner commands(*setup_.sandbox);
    ToolContext tools{setup_.tree,          context_.processes, commands,      notes,
                      context_.environment, context_.cancel,    &setup_.checks};
    const ExecutorParts parts{model,           info,     setup_.registry, tools,
                              setup_.feedback, observer, setup_.trace,    context_.clock,
                              context_.cancel};
    Executor executor(parts, limits_);
    CheckedTree tree = checked_tree(setup_, commands, observer);
    setup_.settings.patch_path = join_path(folder_, "changes.patch");
    BuildRun run(setup_.workflow, setup_.task, setup_.settings, setup_.repository, tree, executor,
                 parts);
    Result<BuildResult> result = run.run();
    if (!result) {
      rescue(run, result.error());
      return result.error();
    }
    return conclude(std::move(*result), executor);
  }

  // The job cannot go on: what is in the tree is kept on the branch, or the branch goes away.
  void rescue(const BuildRun& run, const Error& error) {
    if (branch_.name().empty()) return leave_branch();
    const CancelToken none;  // a Ctrl-C must not stop the rescue
    const std::string why = error.kind == ErrorKind::kInterrupted ? "interrupted" : error.message;
    const Result<Delivery> saved = run.save(setup_.repository.with_cancel(none), why);
    if (!saved) {
      print_note(context_.global, "pedrocli: the changes could not be committed: " +
                                      saved.error().message + "; they are in the work tree");
    } else if (saved->nothing_changed) {
      leave_branch();
    } else {
      print_note(context_.global,
                 fmt::format("pedrocli: what was done so far is on branch {}", saved->branch));
    }
  }

  void leave_branch() {
    if (const Status left = branch_.leave(); !left) {
      print_note(context_.global,
                 fmt::format("pedrocli: HEAD is not back where it was: {}", left.error().message));
    }
  }

  Result<int> conclude(BuildResult result, const Executor& executor) {
    if (result.delivery.nothing_changed || branch_.name().empty()) leave_branch();
    const auto moved = branch_.moved_branches();
    if (moved) result.moved_branches = *moved;
    const std::string report = build_report(setup_.task, result, executor);
    if (!context_.global.json) print(report);  // first of all: the disk may be full
    const std::string path = join_path(folder_, "report.md");
    if (Status written = context_.files.write_atomic(path, report, 0600); !written) {
      return written.error();
    }
    // The work is verified and committed, but what was asked for is not all done.
    const bool unpublished = result.delivery.problem && result.end == BuildEnd::kVerified;
    const int code = unpublished ? exit_code_of(*result.delivery.problem, context_.cancel)
                                 : exit_code_of(result.end);
    const std::string_view outcome = unpublished ? "not_published" : to_string(result.end);
    const Status ended = journal_.thread_completed(
        {std::string(outcome), code, result.delivery.branch, result.delivery.commit, path});
    closed_ = true;
    if (!ended) return ended.error();
    return code;
  }

  CommandContext& context_;
  BuildSetup& setup_;
  ExecutorLimits limits_;
  std::string id_;
  std::string folder_;
  Journal journal_;
  WorkBranch branch_;
  bool closed_ = false;
};

Result<int> run_build(CommandContext& context, const BuildOptions& options) {
  Result<BuildProject> project = open_build_project(context, options);
  if (!project) return project.error();
  Result<ModelRegistry> registry = registry_of(project->config);
  if (!registry) return registry.error();
  ServerConnections connections(context, *std::move(registry));
  Result<BuildSetup> setup = prepare_build(context, options, *std::move(project), connections.http);
  if (!setup) return setup.error();
  if (options.dry_run) return dry_run(context, *setup);
  const Config& config = setup->config.config;
  Result<ContextSettings> window = context_settings(setup->config);
  if (!window) return window.error();
  Progress progress = make_progress(context, config);
  TokenLog token_log(context.files, context.clock);
  setup->trace.record = [&token_log](TraceTopic, const Json& event) { token_log.add(event); };
  Notices notices(progress);
  GenerateEvents events = progress.events();
  events.on_notice = [&notices](std::string_view message) { notices.say(message); };
  const Result<std::unique_ptr<Model>> model =
      make_model(context, setup->config, setup->trace, std::move(events), connections);
  if (!model) return model.error();
  const Result<ModelInfo> info = (*model)->open();
  if (!info) return info.error();
  // From here on there is something to tell: a job.
  Result<JobStore> store = open_job_store(context);
  if (!store) return store.error();
  std::random_device random;
  const Result<std::string> id =
      store->create(context.clock, "build", [&] { return static_cast<std::uint32_t>(random()); });
  if (!id) return id.error();
  token_log.open(store->folder(*id));
  ExecutorLimits limits = limits_of(context, options, config);
  limits.tool_bias = setup->tool_bias;
  limits.context = *std::move(window);
  BuildJob job(context, *setup, limits, *id, store->folder(*id));
  const Result<int> code = job.run(**model, *info, progress, notices);
  if (const Status& logged = token_log.status(); !logged) {
    print_note(context.global, "pedrocli: tokens.jsonl is not whole: " + logged.error().message);
  }
  return code;
}

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
  command
      .add_option("--max-rounds", options->max_rounds, "Inferences in the whole job, 1 to 100000")
      ->check(CLI::Range(1, 100000));
  command.add_option("--format", options->format,
                     "How the model writes: a name of `pedrocli format list`");
  command.add_flag("--push", options->push, "Push the branch and open a draft pull request");
  command.add_flag("--no-commit", options->no_commit, "Leave the changes uncommitted; no branch");
  command.add_flag(
      "--dry-run", options->dry_run,
      "Show what would be done and the first prompt; with -format as that family\nhas it, else as "
      "for a model without tools of its own");
  command.add_flag("--allow-net", options->allow_net, "Let commands and checks use the network");
  command.add_flag("--allow-dirty", options->allow_dirty, "Work on top of uncommitted changes");
  return [options](CommandContext& context) {
    context.global.format = options->format;
    context.global.allow_net = options->allow_net;
    const Result<int> code = run_build(context, *options);
    return code ? *code : report_error(code.error(), context.cancel);
  };
}

}  // namespace pedro
