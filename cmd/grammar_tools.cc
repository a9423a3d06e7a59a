#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "agent/grounding.h"
#include "agent/phase.h"
#include "agent/tool_set.h"
#include "agent/tool_steering.h"
#include "agent/workflow_run.h"
#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/call_wrapping.h"
#include "chat_format/format_family.h"
#include "grammar_command.h"
#include "job/read_journal.h"
#include "messages_api/message_rules.h"
#include "model_factory.h"
#include "schema_gaps.h"

namespace pedro {
namespace {

struct ToolsOptions {
  std::string agent = "build";
  std::string phase;
  std::string tool;
  std::string format;
  std::string job;
  int round = 0;
};

// The notation of calls, as far as it is known without a vocabulary.
struct CallStyle {
  CallWrapping wrapping;
  std::string lead;                 // start of the reply, before the grammar
  std::vector<std::string> tokens;  // shown as text here, sent by id in requests
};

CallStyle style_of(const CallForm& form) {
  CallStyle style;
  style.lead = to_text(form.lead);
  const auto note = [&](const ControlToken& token) -> std::optional<OneToken> {
    add_once(style.tokens, token.name);
    return std::nullopt;
  };
  style.wrapping = *call_wrapping(form, note);
  return style;
}

Error unknown(std::string_view what, const std::string& name,
              const std::vector<std::string>& candidates) {
  return usage_error(fmt::format("no {} '{}'{}; there are: {}", what, name,
                                 did_you_mean(name, candidates), join(candidates, ", ")));
}

std::vector<std::string> tools_of(const std::vector<CallBranch>& branches) {
  std::vector<std::string> names;
  for (const CallBranch& branch : branches) add_once(names, branch.tool);
  return names;
}

// The agent's settings in a build, with the overrides of the work tree's root.
struct Agent {
  Registry registry;
  Workflow workflow;
  GenerationMode mode = GenerationMode::kGrammar;  // from the configuration
  ModelInfo model;                                 // derived from the format
  std::optional<CallStyle> native;                 // set if a format is configured
  Bodies bodies = Bodies::kAuto;                   // from the configuration

  std::vector<CallBranch> branches(const Phase& phase) const {
    return call_branches(registry, phase, bodies_of(model, phase, bodies));
  }
  GenerationMode mode_of(const Phase& phase) const { return phase.mode.value_or(mode); }
  CallWrapping wrapping() const { return native ? native->wrapping : CallWrapping(); }

  static Result<Agent> load(CommandContext& context, const std::string& name,
                            const std::string& workdir) {
    PEDRO_TRY(const LoadedConfig config, load_project_config(context, workdir));
    PEDRO_TRY(const std::string root, overrides_root(context, config));
    PEDRO_TRY(Registry registry, open_tools(context, root));
    PEDRO_TRY(const PromptLibrary library, open_prompts(context, root));
    const std::vector<std::string> agents = agent_names(library);
    if (std::find(agents.begin(), agents.end(), name) == agents.end()) {
      return unknown("agent", name, agents);
    }
    PEDRO_TRY(Workflow workflow, load_workflow(library, registry, name));
    const auto preferences = read_tool_preferences(config.config.model.tool_bias, registry);
    if (!preferences) {
      return preferences.error().at(config.origin_of("model.tool_bias").place + ": model");
    }
    // Drops phases of answers, which call no tools.
    std::erase_if(workflow.phases, [](const Phase& phase) { return phase.answers; });
    block_tools(workflow, preferences->blocked);
    const ModelSettings& settings = config.config.model;
    Agent agent{std::move(registry),
                std::move(workflow),
                *parse_generation_mode(settings.mode),
                model_by_format(config),
                {},
                parse_bodies(settings.bodies).value_or(Bodies::kAuto)};
    if (const auto family = find_format(settings.format); family) {
      const std::optional<CallForm> form = call_form(**family);
      agent.native = style_of(form ? *form : plain_call_form());
    }
    return agent;
  }

  Result<const Phase*> find(const std::string& name) const {
    std::vector<std::string> names;
    for (const Phase& phase : workflow.phases) {
      if (phase.name == name) return &phase;
      names.push_back(phase.name);
    }
    return unknown("phase", name, names);
  }
};

int list_phases(CommandContext& context, const Agent& agent) {
  for (const Phase& phase : agent.workflow.phases) {
    const std::vector<CallBranch> branches = agent.branches(phase);
    const Gbnf grammar = tool_call_grammar(branches, agent.wrapping());
    const std::size_t bytes = print(grammar).size();
    if (context.global.json) {
      print_json({{"phase", phase.name},
                  {"bytes", bytes},
                  {"rules", grammar.rules.size()},
                  {"mode", to_string(agent.mode_of(phase))},
                  {"tools", tools_of(branches)}});
      continue;
    }
    print(make_printable(fmt::format("{:<10} {:>7} bytes {:>4} rules  {}\n", phase.name, bytes,
                                     grammar.rules.size(), join(tools_of(branches), " "))));
  }
  if (!context.global.json) print_note(context.global, "-phase NAME prints the grammar of one");
  return kExitDone;
}

// Returns the branches of one tool: those of the phase, or all if `phase` is null.
Result<std::vector<CallBranch>> branches_of_tool(const Agent& agent, const Phase* phase,
                                                 const std::string& tool) {
  Phase alone;
  if (phase == nullptr) {
    if (agent.registry.find(tool) == nullptr) {
      return unknown("tool", tool, agent.registry.names());
    }
    alone.tools = {tool};
    alone.allow = {policy::all_permissions().begin(), policy::all_permissions().end()};
  }
  std::vector<CallBranch> branches = agent.branches(phase ? *phase : alone);
  const std::vector<std::string> names = tools_of(branches);
  std::erase_if(branches, [&](const CallBranch& branch) { return branch.tool != tool; });
  if (!branches.empty()) return branches;
  const Error none = unknown("tool", tool, names);
  return phase ? none.at("phase " + phase->name) : none;
}

std::vector<SchemaGap> gaps_of(const std::vector<CallBranch>& branches,
                               const std::vector<Loosened>& loosened) {
  std::vector<SchemaGap> gaps;
  add_gaps(gaps, loosened);
  for (const CallBranch& branch : branches) {
    const std::string label =
        branch.action.empty() ? branch.tool : fmt::format("{}.{}", branch.tool, branch.action);
    add_gaps(gaps, branch.args->unchecked, label + ": ");
  }
  return gaps;
}

void note_style(const GlobalOptions& global, const CallStyle& style) {
  print_note(global, "the reply already starts with: " + json_string(style.lead));
  if (style.tokens.empty()) return;
  print_note(global, "text here, and ids of the model's vocabulary in the grammar that is sent: " +
                         join(style.tokens, " "));
}

// Removes the tokens that do not occur in the grammar.
CallStyle style_in(CallStyle style, const std::string& grammar) {
  std::erase_if(style.tokens,
                [&](const std::string& token) { return grammar.find(token) == std::string::npos; });
  return style;
}

int print_grammar(const CommandContext& context, const Agent& agent,
                  const std::vector<CallBranch>& branches) {
  std::vector<Loosened> loosened;
  const std::string grammar = print(tool_call_grammar(branches, agent.wrapping(), &loosened));
  const std::vector<SchemaGap> gaps = gaps_of(branches, loosened);
  std::optional<CallStyle> style;
  if (agent.native) style = style_in(*agent.native, grammar);
  if (context.global.json) {
    Json json = {{"grammar", grammar}, {"gaps", to_json(gaps)}};
    if (style) {
      json["lead"] = style->lead;
      json["tokens"] = style->tokens;
    }
    print_json(json);
    return kExitDone;
  }
  print(grammar);
  if (style) note_style(context.global, *style);
  for (const SchemaGap& gap : gaps) print_note(context.global, to_text(gap));
  return kExitDone;
}

// Follows a job's journal to the state before one of its replies. Uses the files as they are now.
class JournalReplay {
 public:
  // `last_round` counts rounds of phases with tools, from 1; 0 follows the journal to its end.
  JournalReplay(CommandContext& context, int last_round)
      : context_(context), last_round_(last_round) {}

  Status follow(const std::string& path) {
    Status status;
    PEDRO_RETURN_IF_ERROR(read_journal(context_.files, path, [&](const Json& event) {
      const bool done = last_round_ > 0 && rounds_ == last_round_;
      if (status && !done) status = take(event);
    }));
    if (status && !grounding_) return usage_error("the journal has no start");
    return status;
  }

  const Phase* phase() const { return phase_; }
  const Agent& agent() const { return *agent_; }
  int rounds() const { return rounds_; }
  int round() const { return last_round_ > 0 ? round_ : round_ + 1; }

  Result<std::vector<CallBranch>> calls() {
    PEDRO_TRY(const PromptLibrary library, open_prompts(context_, workdir_));
    PEDRO_TRY(const Feedback feedback, Feedback::load(library));
    const ToolSet set(agent_->registry, *phase_, feedback, ToolStyle::kDescribed,
                      bodies_of(agent_->model, *phase_, agent_->bodies));
    PEDRO_TRY(const auto calls,
              grounding_->calls(set, phase_->max_rounds - std::max(1, round()) + 1));
    return std::vector<CallBranch>(calls.begin(), calls.end());
  }

 private:
  Status take(const Json& event) {
    const std::string type = text_of(event, "type");
    if (type == "thread.started") return begin(event);
    if (!grounding_) return {};
    const Json& item = member(event, "item");
    if (type == "phase.started") {
      const Result<const Phase*> found = agent_->find(text_of(event, "phase"));
      if (!found) return {};  // a phase of answers
      phase_ = *found;
      round_ = 0;
      grounding_->begin_phase(*phase_);
    } else if (type == "turn.started" && phase_ != nullptr) {
      round_ = static_cast<int>(number_of(event, "round"));
      ++rounds_;
    } else if (type == "item.completed" && text_of(item, "type") == "tool_call" &&
               phase_ != nullptr) {
      record(item);
    }
    return {};
  }

  Status begin(const Json& event) {
    workdir_ = text_of(event, "workdir");
    PEDRO_TRY(Agent agent, Agent::load(context_, text_of(event, "agent"), workdir_));
    PEDRO_TRY(WorkTree tree, WorkTree::open(context_.files, workdir_));
    agent_ = std::move(agent);
    tree_ = std::move(tree);
    tools_.emplace(ToolContext{*tree_, context_.processes, context_.processes, notes_,
                               context_.environment, context_.cancel});
    grounding_.emplace(agent_->registry, *tools_);
    return {};
  }

  void record(const Json& item) {
    ToolResult result;
    result.ok = truth_of(item, "ok");
    result.changed = texts_of(member(item, "changed"));
    if (text_of(item, "tool") == kPhaseComplete) grounding_->record_refused_finish();
    grounding_->record({text_of(item, "id"), text_of(item, "tool"), member(item, "args")}, result);
  }

  CommandContext& context_;
  int last_round_;
  std::string workdir_;
  NoteStore notes_{context_.files, ""};
  std::optional<Agent> agent_;
  std::optional<WorkTree> tree_;
  std::optional<ToolContext> tools_;
  std::optional<Grounding> grounding_;
  const Phase* phase_ = nullptr;
  int round_ = 0;   // number in the phase
  int rounds_ = 0;  // number over all phases
};

Result<int> print_grammar_of_job(CommandContext& context, const ToolsOptions& options) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, store.find(options.job));
  JournalReplay state(context, options.round);
  PEDRO_RETURN_IF_ERROR(state.follow(store.journal_path(id)));
  if (state.phase() == nullptr || options.round > state.rounds()) {
    return usage_error(
        fmt::format("-job {}: it has {} rounds of phases with tools", id, state.rounds()));
  }
  PEDRO_TRY(const auto calls, state.calls());
  print_note(context.global,
             fmt::format("job {}, phase {}, round {}", id, state.phase()->name, state.round()));
  return print_grammar(context, state.agent(), calls);
}

Result<int> print_grammar_of_tools(CommandContext& context, const ToolsOptions& options) {
  if (!options.job.empty()) return print_grammar_of_job(context, options);
  PEDRO_TRY(const Agent agent, Agent::load(context, options.agent, ""));
  if (options.phase.empty() && options.tool.empty()) return list_phases(context, agent);
  const Phase* phase = nullptr;
  if (!options.phase.empty()) {
    PEDRO_TRY(phase, agent.find(options.phase));
    const GenerationMode mode = agent.mode_of(*phase);
    if (mode == GenerationMode::kUnconstrained || mode == GenerationMode::kSchema) {
      print_note(context.global,
                 fmt::format("pedrocli: warning: this phase uses mode {}; this grammar is not sent",
                             to_string(mode)));
    }
  }
  if (options.tool.empty()) return print_grammar(context, agent, agent.branches(*phase));
  PEDRO_TRY(const auto branches, branches_of_tool(agent, phase, options.tool));
  return print_grammar(context, agent, branches);
}

}  // namespace

CommandFunction add_grammar_tools(CLI::App& command) {
  auto options = std::make_shared<ToolsOptions>();
  auto* agent =
      command.add_option("--agent", options->agent, "The agent with the phases (default: build)");
  auto* phase =
      command.add_option("--phase", options->phase, "Print the grammar of this phase's replies");
  auto* tool =
      command.add_option("--tool", options->tool, "Print the grammar of this tool's calls alone");
  auto* job =
      command.add_option("--job", options->job, "Print the grammar of the next reply of this job");
  job->excludes(phase)->excludes(tool)->excludes(agent);
  command.add_option("--round", options->round, "Instead of the next reply, the one of this round")
      ->needs(job)
      ->check(CLI::Range(1, 100000));
  command.add_option("--format", options->format,
                     "The format of calls: a name from `pedrocli format list`");
  return [options](CommandContext& context) {
    context.global.format = options->format;
    return exit_code(print_grammar_of_tools(context, *options), context.cancel);
  };
}

}  // namespace pedro
