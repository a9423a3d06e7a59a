#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "agent_setup.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "eval/eval_page.h"
#include "eval/eval_plan.h"
#include "eval/eval_record.h"
#include "eval/eval_run.h"
#include "eval/eval_summary.h"
#include "eval_command.h"
#include "model_factory.h"
#include "prompts/prompt_library.h"
#include "tools/registry.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPlanBytes = 4u << 20;

struct ToolcallsOptions {
  int runs = 3;
  std::string plan;
  std::vector<std::string> only;
  std::string out;  ///< "": below the state folder
  std::string html;
  int max_text = 0;
};

// The inputs of a measurement.
struct Instruments {
  LoadedConfig config;
  Registry registry;
  Workflow workflow;
  Feedback feedback;
  EvalPlan plan;
  std::string plan_hash;
};

Result<EvalPlan> load_plan(const CommandContext& context, const ToolcallsOptions& options,
                           std::uint64_t& hash) {
  std::string text(builtin_eval_plan());
  if (!options.plan.empty()) {
    Result<std::string> read = context.files.read(options.plan, kMaxPlanBytes);
    if (!read) return usage_error("-plan " + read.error().message);
    text = *std::move(read);
  }
  hash = hash_bytes(text, static_cast<std::uint64_t>(options.max_text));
  Result<EvalPlan> plan =
      read_eval_plan(options.plan.empty() ? "the built-in plan" : options.plan, text);
  if (!plan || options.only.empty()) return plan;
  std::vector<std::string> names;
  for (const EvalConfiguration& one : plan->configurations) names.push_back(one.name);
  for (const std::string& name : options.only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return usage_error(fmt::format("-only: no configuration '{}'{}; there are: {}", name,
                                   did_you_mean(name, names), join(names, ", ")));
  }
  std::erase_if(plan->configurations, [&](const EvalConfiguration& one) {
    return std::find(options.only.begin(), options.only.end(), one.name) == options.only.end();
  });
  return plan;
}

Result<Instruments> load(CommandContext& context, const ToolcallsOptions& options) {
  PEDRO_TRY(LoadedConfig config, load_project_config(context));
  PEDRO_TRY(const std::string root, overrides_root(context, config));
  PEDRO_TRY(Registry registry, open_tools(context, root));
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, root));
  PEDRO_TRY(Workflow workflow, load_workflow(library, registry, "build"));
  PEDRO_TRY(Feedback feedback, Feedback::load(library));
  std::uint64_t hash = 0;
  PEDRO_TRY(EvalPlan plan, load_plan(context, options, hash));
  for (const EvalTask& task : plan.tasks) {
    const auto same = [&](const Phase& phase) { return phase.name == task.phase; };
    if (std::any_of(workflow.phases.begin(), workflow.phases.end(), same)) continue;
    return config_error(fmt::format("task '{}': there is no phase '{}'", task.name, task.phase));
  }
  return Instruments{std::move(config),   std::move(registry), std::move(workflow),
                     std::move(feedback), std::move(plan),     fmt::format("{:016x}", hash)};
}

// Opens models, measures and records the results.
class Measurement {
 public:
  Measurement(CommandContext& context, const ToolcallsOptions& options, Instruments instruments,
              ServerConnections& connections)
      : context_(context),
        options_(options),
        instruments_(std::move(instruments)),
        connections_(connections) {}

  Result<int> run() {
    for (const EvalConfiguration& one : instruments_.plan.configurations) {
      for (int number = 1; number <= options_.runs; ++number) {
        if (record_ && record_->has(one.name, number)) continue;
        PEDRO_RETURN_IF_ERROR(measure(one, number));
      }
    }
    return show();
  }

 private:
  Status measure(const EvalConfiguration& one, int number) {
    std::string noticed;
    GenerateEvents events;
    events.on_notice = [&](std::string_view text) {
      if (text.starts_with("mode ")) noticed = text;
      if (context_.global.verbose) print_note(context_.global, text);
    };
    LoadedConfig config = instruments_.config;
    config.config.model.mode = to_string(one.mode);
    config.config.model.steering = to_string(one.steering);
    PEDRO_TRY(auto model,
              make_model(context_, context_.cancel, config, Trace(), events, connections_));
    const Result<ModelInfo> info = model->open();
    if (!info) return record_ ? record_failure(one, number, info.error()) : Status(info.error());
    PEDRO_RETURN_IF_ERROR(begin_record(*info));
    if (record_->has(one.name, number)) return {};
    PEDRO_TRY(auto calls,
              EvalCalls::make(instruments_.registry, instruments_.workflow, instruments_.feedback,
                              one, *info, options_.max_text, instruments_.plan.files));
    const ModelSettings& settings = config.config.model;
    const long long room = info->context_tokens / 8;
    PEDRO_TRY(auto measured,
              run_eval({*model, calls, one, instruments_.plan, context_.clock, info->name,
                        info->has_tools, temperature_of(config, connections_.registry, *info),
                        std::min<long long>(settings.max_tokens, room), number, [&](EvalCall call) {
                          call.notice = noticed;
                          return record(call);
                        }}));
    int valid = 0;
    for (const EvalCall& call : measured) valid += call.failure == CallFailure::kNone ? 1 : 0;
    print_note(context_.global, fmt::format("{}, run {} of {}: {} of {} calls are valid", one.name,
                                            number, options_.runs, valid, measured.size()));
    return {};
  }

  // Writes a call at once, so that an interrupted measurement keeps it.
  Status record(const EvalCall& call) {
    tell(call);
    record_->calls.push_back(call);
    return context_.files.append(out_, to_line(call) + "\n");
  }

  // Records a conversation without a model.
  Status record_failure(const EvalConfiguration& one, int number, const Error& error) {
    if (error.kind == ErrorKind::kInterrupted) return error;
    EvalCall call;
    call.configuration = one.name;
    call.run = number;
    call.round = 1;
    call.rounds = static_cast<int>(instruments_.plan.tasks.size());
    call.task = instruments_.plan.tasks.front().name;
    call.failure = CallFailure::kFailed;
    call.reason = error.message;
    return record(call);
  }

  void tell(const EvalCall& call) const {
    const std::string what = call.failure != CallFailure::kNone
                                 ? std::string(to_string(call.failure))
                                 : (call.right ? "right" : "valid, not right");
    print_note(context_.global,
               fmt::format("{}, run {} of {}, call {} of {}, {}: {}, {} tokens, {:.1f} s",
                           call.configuration, call.run, options_.runs, call.round, call.rounds,
                           call.task, what, call.tokens, call.ms / 1000));
    if (!call.reason.empty()) print_note(context_.global, "  " + call.reason);
  }

  // Continues an existing record with the same header.
  Status begin_record(const ModelInfo& info) {
    if (record_) return {};
    const EvalHeader header{info.name, info.backend, info.format, instruments_.plan_hash,
                            PEDROCLI_VERSION};
    PEDRO_RETURN_IF_ERROR(choose_file(header));
    if (context_.files.link_info(out_).kind == FileKind::kMissing) {
      record_ = EvalRecord{header, {}};
      return context_.files.write_atomic(out_, to_line(header) + "\n", 0644);
    }
    const Result<std::string> text = context_.files.read(out_, kMaxEvalBytes);
    if (!text) return usage_error("-out " + text.error().message);
    Result<EvalRecord> old = read_eval_record(out_, *text);
    if (!old) return old.error().at("-out");
    if (old->header != header) {
      return usage_error(
          fmt::format("-out {}: the record is of another model, plan or version ({}); "
                      "name another file",
                      out_, to_line(old->header)));
    }
    record_ = *std::move(old);
    std::string whole = to_line(header) + "\n";
    for (const EvalCall& call : record_->calls) whole += to_line(call) + "\n";
    return context_.files.write_atomic(out_, whole, 0644);
  }

  // The default is a file of the state folder, one per model, plan and version.
  Status choose_file(const EvalHeader& header) {
    out_ = options_.out;
    if (!out_.empty()) return {};
    const std::string state = context_.environment.state_folder();
    if (state.empty()) {
      return usage_error("neither HOME nor XDG_STATE_HOME is set; give -out");
    }
    const std::string folder = join_path(state, "eval");
    PEDRO_RETURN_IF_ERROR(context_.files.make_folders(folder, 0700));
    const std::string hash = fmt::format("{:016x}", hash_bytes(to_line(header)));
    out_ = join_path(
        folder, fmt::format("toolcalls-{}-{}.jsonl", slug_of(header.model, 40), hash.substr(0, 8)));
    print_note(context_.global, "record: " + out_);
    return {};
  }

  Result<int> show() {
    const std::vector<EvalSummary> summaries = summarize(*record_);
    if (!options_.html.empty()) {
      const Status written =
          context_.files.write_atomic(options_.html, to_page(record_->header, summaries), 0644);
      if (!written) return written.error().at("-html");
    }
    if (context_.global.json) {
      for (const EvalSummary& one : summaries) print_json(to_json(one));
      return static_cast<int>(kExitDone);
    }
    print(make_printable_lines(to_table(summaries)));
    for (const EvalSummary& one : summaries) {
      for (const std::string& text : one.notices) {
        print_note(context_.global, one.configuration + ": " + text);
      }
    }
    return static_cast<int>(kExitDone);
  }

  static std::string make_printable_lines(const std::string& table) {
    std::string out;
    for (const std::string_view line : split_lines(table)) out += make_printable(line) + "\n";
    return out;
  }

  CommandContext& context_;
  const ToolcallsOptions& options_;
  Instruments instruments_;
  ServerConnections& connections_;
  std::optional<EvalRecord> record_;
  std::string out_;  // path of the record
};

Result<int> run(CommandContext& context, const ToolcallsOptions& options) {
  PEDRO_TRY(Instruments instruments, load(context, options));
  PEDRO_TRY(ModelRegistry models, registry_of(instruments.config));
  ServerConnections connections(context, std::move(models));
  return Measurement(context, options, std::move(instruments), connections).run();
}

}  // namespace

CommandFunction add_eval_toolcalls(CLI::App& command) {
  auto options = std::make_shared<ToolcallsOptions>();
  command.add_option("--runs", options->runs, "Conversations per configuration (default: 3)")
      ->check(CLI::Range(1, 100000));
  command.add_option("--plan", options->plan, "Configurations and tasks, instead of the built-in");
  command.add_option("--only", options->only, "This configuration; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--out", options->out,
                     "The record; an existing one is continued (default: below the state folder)");
  command.add_option("--html", options->html, "Write a page with a chart");
  command.add_option("--max-text", options->max_text, "Most characters of a text in arguments")
      ->check(CLI::Range(0, 1000000));
  return running(run, options);
}

}  // namespace pedro
