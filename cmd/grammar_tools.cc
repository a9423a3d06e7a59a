#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "agent/phase.h"
#include "agent/repository.h"
#include "agent/tool_preferences.h"
#include "agent/tool_set.h"
#include "base/text.h"
#include "base/utf8.h"
#include "grammar_command.h"
#include "schema_gaps.h"

namespace pedro {
namespace {

constexpr const char* kExample =
    "Examples:\n"
    "  pedrocli grammar tools                the phases of `build`, how large their grammars are\n"
    "  pedrocli grammar tools -phase plan    what constrains the replies of that phase\n"
    "  pedrocli grammar tools -tool search   calls of that tool alone\n";

struct ToolsOptions {
  std::string agent = "build";
  std::string phase;
  std::string tool;
};

Error unknown(std::string_view what, const std::string& name,
              const std::vector<std::string>& candidates) {
  return Error{ErrorKind::kUsage,
               fmt::format("no {} '{}'{}; there are: {}", what, name,
                           did_you_mean(name, candidates), join(candidates, ", "))};
}

std::vector<std::string> tools_of(const std::vector<CallBranch>& branches) {
  std::vector<std::string> names;
  for (const CallBranch& branch : branches) {
    if (std::find(names.begin(), names.end(), branch.tool) == names.end()) {
      names.push_back(branch.tool);
    }
  }
  return names;
}

// What a build works with, as it finds it: the overrides of the work tree's root.
struct Agent {
  Registry registry;
  Workflow workflow;
  bool constrained = true;  // by the configuration

  static Result<Agent> load(CommandContext& context, const std::string& name) {
    const Result<std::string> folder = find_project(context, "");
    if (!folder) return folder.error();
    const Result<LoadedConfig> config = load_command_config(context, *folder);
    if (!config) return config.error();
    const Result<std::string> work = work_folder(context, *folder, *config, "");
    if (!work) return work.error();
    const Result<Repository> repository =
        Repository::open(context.files, context.processes, context.cancel, *work);
    const std::string overrides = join_path(repository ? repository->root() : *work, ".pedro");
    Result<Registry> registry = Registry::open(context.files, join_path(overrides, "tools"));
    if (!registry) return registry.error();
    const Result<PromptLibrary> library =
        PromptLibrary::open(context.files, join_path(overrides, "prompts"));
    if (!library) return library.error();
    const std::vector<std::string> agents = agent_names(*library);
    if (std::find(agents.begin(), agents.end(), name) == agents.end()) {
      return unknown("agent", name, agents);
    }
    Result<Workflow> workflow = load_workflow(*library, *registry, name);
    if (!workflow) return workflow.error();
    const auto preferences = read_tool_preferences(config->config.model.tool_bias, *registry);
    if (!preferences) {
      return preferences.error().at(config->origin_of("model.tool_bias").place + ": model");
    }
    block_tools(*workflow, preferences->blocked);
    return Agent{std::move(*registry), std::move(*workflow),
                 config->config.model.mode != "unconstrained"};
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
    const std::vector<CallBranch> branches = call_branches(agent.registry, phase);
    const Gbnf grammar = tool_call_grammar(branches);
    const std::size_t bytes = print(grammar).size();
    if (context.global.json) {
      print(to_line({{"phase", phase.name},
                     {"bytes", bytes},
                     {"rules", grammar.rules.size()},
                     {"constrained", phase.constrained && agent.constrained},
                     {"tools", tools_of(branches)}}) +
            "\n");
      continue;
    }
    print(make_printable(fmt::format("{:<10} {:>7} bytes {:>4} rules  {}\n", phase.name, bytes,
                                     grammar.rules.size(), join(tools_of(branches), " "))));
  }
  if (!context.global.json) print_note(context.global, "-phase NAME prints the grammar of one");
  return kExitDone;
}

// The branches of one tool: those of the phase, or all where there is none.
Result<std::vector<CallBranch>> branches_of_tool(const Agent& agent, const Phase* phase,
                                                 const std::string& tool) {
  Phase alone;
  if (phase == nullptr) {
    if (agent.registry.find(tool) == nullptr) {
      return unknown("tool", tool, agent.registry.names());
    }
    alone.tools = {tool};
    alone.allow = {all_permissions().begin(), all_permissions().end()};
  }
  std::vector<CallBranch> branches = call_branches(agent.registry, phase ? *phase : alone);
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

int print_grammar(const CommandContext& context, const std::vector<CallBranch>& branches) {
  std::vector<Loosened> loosened;
  const std::string grammar = print(tool_call_grammar(branches, {}, &loosened));
  const std::vector<SchemaGap> gaps = gaps_of(branches, loosened);
  if (context.global.json) {
    print(to_line({{"grammar", grammar}, {"gaps", to_json(gaps)}}) + "\n");
    return kExitDone;
  }
  print(grammar);
  for (const SchemaGap& gap : gaps) print_note(context.global, to_text(gap));
  return kExitDone;
}

int run(CommandContext& context, const ToolsOptions& options) {
  const Result<Agent> agent = Agent::load(context, options.agent);
  if (!agent) return report_error(agent.error(), context.cancel);
  if (options.phase.empty() && options.tool.empty()) return list_phases(context, *agent);
  const Phase* phase = nullptr;
  if (!options.phase.empty()) {
    const Result<const Phase*> found = agent->find(options.phase);
    if (!found) return report_error(found.error(), context.cancel);
    phase = *found;
    if (!phase->constrained || !agent->constrained) {
      print_note(context.global,
                 "pedrocli: warning: this phase is set to be unconstrained; this "
                 "grammar is not sent");
    }
  }
  if (options.tool.empty()) return print_grammar(context, call_branches(agent->registry, *phase));
  const auto branches = branches_of_tool(*agent, phase, options.tool);
  if (!branches) return report_error(branches.error(), context.cancel);
  return print_grammar(context, *branches);
}

}  // namespace

CommandFunction add_grammar_tools(CLI::App& command) {
  auto options = std::make_shared<ToolsOptions>();
  command.add_option("--agent", options->agent, "Whose phases (default: build)");
  command.add_option("--phase", options->phase, "Print the grammar of this phase's replies");
  command.add_option("--tool", options->tool, "Print the grammar of this tool's calls alone");
  add_example(command, kExample);
  return [options](CommandContext& context) { return run(context, *options); };
}

}  // namespace pedro
