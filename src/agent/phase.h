#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "chat/generation_mode.h"
#include "json_schema/schema.h"
#include "prompts/prompt_library.h"
#include "prompts/prompt_template.h"
#include "tools/registry.h"

namespace pedro {

/// The evidence required to accept the end of a phase.
enum class Evidence {
  kNone,
  kChange,     ///< a file has changed since the phase began
  kChecks,     ///< the checks pass on the current tree
  kSolution,   ///< a file has changed since the phase began, and the checks pass
  kFailure,    ///< its command fails; the command then becomes a check
  kLook,       ///< a tool or the prompt has shown a part of the project
  kPlaces,     ///< the files and lines that it names exist
  kDiffLines,  ///< the lines that it names are in its part of the diff
  kMaterial,   ///< its quotations, numbers and links are in the material; its Markdown is valid
  kLengths,    ///< its posts fit the limits of the services
};

/// The location of long texts in calls (ActionManifest::bodies).
enum class Bodies {
  kAuto,  ///< the form that the model writes best
  kJson,  ///< in the arguments
  kRaw,   ///< verbatim after the call, if the model's calls are JSON
};
/// Parses "auto", "json" or "raw". Returns nullopt for other texts.
std::optional<Bodies> parse_bodies(std::string_view text);

/// One step of an agent's work: a file `prompts/<agent>/<n>-<name>.md`. The keys of its front
/// matter are documented in docs/prompts.md.
struct Phase {
  std::string name;  ///< for example "analyze", from the file's name
  std::vector<std::string> tools;
  std::vector<std::string> mcp;   ///< of MCP servers: "SERVER.TOOL", "SERVER.*" or "SERVER"
  std::set<std::string> offered;  ///< MCP tools outside of the prompt, called through `mcp`
  std::set<Permission> allow;
  int max_rounds = 10;
  std::optional<double> temperature;   ///< default: the configured one
  std::optional<GenerationMode> mode;  ///< default: the configured one
  std::optional<int> thinking_tokens;  ///< default: the configured number
  std::optional<int> reply_tokens;     ///< limit of one reply; default: the configured number
  Json logit_bias = Json::object();    ///< in addition to the configured one, see read_biases()
  Bodies bodies = Bodies::kAuto;       ///< kAuto: as configured
  Evidence evidence = Evidence::kNone;
  bool skip_when_checks_pass = false;
  bool skip_when_solved = false;   ///< an earlier phase has solved the task
  bool skip_when_unshown = false;  ///< the prompt cannot show all files of the task
  bool answers = false;            ///< one reply solves the task; the checks decide, see Solver
  bool optional = false;           ///< the job continues after a limit of the phase
  bool takes_blocked = false;  ///< phase_complete may have the reason why the task is impossible
  bool anew = false;           ///< starts a new conversation
  bool stays = false;          ///< keeps its prompt pinned in the conversation
  /// Repeats the phase for each element of a list, with an array as its output. Names "plan.steps",
  /// a member of an earlier output, or a list of the agent's terms. "": runs once.
  std::string for_each;
  Json output_schema_json;
  Schema output_schema;
  PromptTemplate prompt;
};

/// Renders a prompt of a phase of answers. `values` has the additional variables of one answer.
using RenderTry =
    std::function<Result<std::string>(const std::map<std::string, std::string>& values)>;

/// An agent: its rules and its phases in order.
struct Workflow {
  std::string agent;
  PromptTemplate system;
  std::vector<Phase> phases;
  /// The prompt of a later message to a job that is done; nullopt if the agent takes none.
  std::optional<PromptTemplate> follow_up = {};
};

/// Returns the agents that have prompts: the folders with a `system.md`. Sorted.
std::vector<std::string> agent_names(const PromptLibrary& library);

/// Returns true if a phase has a permission other than kRead.
bool writes(const Workflow& workflow);

/// Returns the index of the phase in which the work on a later message begins. This is the last one
/// that must change a file, else the last one.
std::size_t follow_up_index(const Workflow& workflow);

/// Returns that phase with the prompt `follow_up`, which must exist.
Phase follow_up_phase(const Workflow& workflow);

/// Loads `prompts/<agent>/`. terms_of() defines the variables, evidence and lists. Errors: kConfig
/// with file and line for an unknown key, value, tool or variable, a missing schema, or no phases.
/// The same for a duplicate or reserved phase name.
Result<Workflow> load_workflow(const PromptLibrary& library, const Registry& registry,
                               const std::string& agent);

}  // namespace pedro
