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
#include "grammar/schema.h"
#include "prompts/prompt_library.h"
#include "prompts/prompt_template.h"
#include "tools/registry.h"

namespace pedro {

/// What a phase has to show before its end is accepted.
enum class Evidence {
  kNone,
  kChange,     ///< a file of the work tree has changed since the phase began
  kChecks,     ///< the checks pass on what is in the tree now
  kSolution,   ///< a file has changed since the phase began, and the checks pass
  kFailure,    ///< the command that it names fails; from then on it is one of the checks
  kLook,       ///< a tool or the prompt has shown a part of the project
  kPlaces,     ///< the files and lines that it names are there
  kDiffLines,  ///< the lines that it names are in the part of the diff it was shown
  kMaterial,   ///< what it quotes, counts and links to is in the material; its Markdown is sound
  kLengths,    ///< its posts are not longer than the services take
};

/// Where the long texts of calls stand (ActionManifest::bodies).
enum class Bodies {
  kAuto,  ///< as the model writes them best
  kJson,  ///< in the arguments
  kRaw,   ///< behind the call, as they are, where the model's calls are JSON
};
/// "auto", "json", "raw"; nothing of another text.
std::optional<Bodies> parse_bodies(std::string_view text);

/// One step of an agent's work: a file `prompts/<agent>/<n>-<name>.md`. The keys of its front
/// matter are described in docs/prompts.md.
struct Phase {
  std::string name;  ///< "analyze", from the file's name
  std::vector<std::string> tools;
  std::set<Permission> allow;
  int max_rounds = 10;
  std::optional<double> temperature;   ///< else the configured one
  std::optional<GenerationMode> mode;  ///< else the configured one
  std::optional<int> thinking_tokens;  ///< the same
  std::optional<int> reply_tokens;     ///< the most of one reply; else the configured number
  Json logit_bias = Json::object();    ///< on top of the configured; see read_biases()
  Bodies bodies = Bodies::kAuto;       ///< kAuto: what the configuration says
  Evidence evidence = Evidence::kNone;
  bool skip_when_checks_pass = false;
  bool skip_when_solved = false;   ///< an earlier phase has solved the task
  bool skip_when_unshown = false;  ///< the prompt cannot show all files that the task is about
  bool answers = false;            ///< the model answers as a whole, and the checks decide: Solver
  bool optional = false;           ///< the job continues after a limit of the phase
  bool takes_blocked = false;      ///< phase_complete may have the reason why the task is impossible
  bool anew = false;               ///< it begins another conversation
  bool stays = false;  ///< its prompt must not leave the conversation, whatever comes later
  /// "plan.steps", a member of an earlier output, or a list of the agent's terms: the phase is done
  /// for each of its elements, and hands on an array. "": once.
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
};

/// The agents that there are prompts for: the folders with a `system.md`. Sorted.
std::vector<std::string> agent_names(const PromptLibrary& library);

/// True where some phase may change files, run commands or use the network.
bool writes(const Workflow& workflow);

/// Reads `prompts/<agent>/`; variables, evidence and lists are those of terms_of(). Errors
/// (kConfig, with file and line): an unknown key, value, tool or variable, a missing schema, a
/// phase called like another or like a variable, no phases.
Result<Workflow> load_workflow(const PromptLibrary& library, const Registry& registry,
                               const std::string& agent);

}  // namespace pedro
