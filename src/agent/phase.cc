#include "agent/phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "agent/agent_terms.h"
#include "agent/tool_set.h"
#include "base/text.h"
#include "llm/bias_settings.h"
#include "prompts/front_matter.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

Error error_at(std::string_view place, int line, std::string_view what) {
  return Error{ErrorKind::kConfig, fmt::format("{}:{}: {}", place, line, what)};
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view word : split(text, ' ')) {
    if (!trim(word).empty()) found.emplace_back(trim(word));
  }
  return found;
}

// Turns the other form of a list, `[a, "b"]`, into words.
std::string listed_words(std::string text) {
  for (char& c : text) {
    if (c == '[' || c == ']' || c == ',' || c == '"') c = ' ';
  }
  return text;
}

template <typename Number>
bool parse_number(std::string_view text, Number low, Number high, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= low && out <= high;
}

using EvidenceName = std::pair<Evidence, std::string_view>;
const std::vector<EvidenceName>& evidence_names() {
  static const std::vector<EvidenceName> kNames = {
      {Evidence::kNone, "none"},         {Evidence::kChange, "change"},
      {Evidence::kChecks, "checks"},     {Evidence::kFailure, "failure"},
      {Evidence::kPlaces, "places"},     {Evidence::kDiffLines, "diff_lines"},
      {Evidence::kMaterial, "material"}, {Evidence::kLengths, "lengths"},
      {Evidence::kLook, "look"},         {Evidence::kSolution, "solution"}};
  return kNames;
}

std::string_view to_string(Evidence evidence) {
  for (const auto& [known, name] : evidence_names()) {
    if (known == evidence) return name;
  }
  return "";
}

// Reads one phase file. Each key of the front matter has a setter.
class PhaseReader {
 public:
  PhaseReader(const PromptLibrary& library, const Registry& registry, const std::string& file)
      : library_(library), registry_(registry), place_(library.place(file)) {}

  Status take(const FrontMatterEntry& entry, Phase& phase) const {
    using Setter = Status (PhaseReader::*)(const FrontMatterEntry&, Phase&) const;
    static const std::vector<std::pair<std::string, Setter>> kSetters = {
        {"tools", &PhaseReader::set_tools},
        {"mcp", &PhaseReader::set_mcp},
        {"allow", &PhaseReader::set_allow},
        {"max_rounds", &PhaseReader::set_max_rounds},
        {"temperature", &PhaseReader::set_temperature},
        {"mode", &PhaseReader::set_mode},
        {"thinking_tokens", &PhaseReader::set_thinking},
        {"reply_tokens", &PhaseReader::set_reply_tokens},
        {"logit_bias", &PhaseReader::set_logit_bias},
        {"bodies", &PhaseReader::set_bodies},
        {"output", &PhaseReader::set_output},
        {"evidence", &PhaseReader::set_evidence},
        {"skip", &PhaseReader::set_skip},
        {"answers", &PhaseReader::set_flag<&Phase::answers>},
        {"optional", &PhaseReader::set_flag<&Phase::optional>},
        {"conversation", &PhaseReader::set_conversation},
        {"stays", &PhaseReader::set_flag<&Phase::stays>},
        {"for_each", &PhaseReader::set_for_each},
    };
    std::vector<std::string> known;
    for (const auto& [key, setter] : kSetters) {
      if (key == entry.key) return (this->*setter)(entry, phase);
      known.push_back(key);
    }
    return error_at(place_, entry.line,
                    fmt::format("unknown key '{}'{}; there are: {}", entry.key,
                                did_you_mean(entry.key, known), join(known, ", ")));
  }

 private:
  Error wrong(const FrontMatterEntry& entry, std::string_view expected) const {
    return error_at(place_, entry.line,
                    fmt::format("{}: expected {}, got '{}'", entry.key, expected, entry.value));
  }

  Status set_tools(const FrontMatterEntry& entry, Phase& phase) const {
    phase.tools = words(entry.value);
    for (const std::string& tool : phase.tools) {
      if (registry_.find(tool) != nullptr) continue;
      return error_at(
          place_, entry.line,
          fmt::format("unknown tool '{}'{}; there are: {}", tool,
                      did_you_mean(tool, registry_.names()), join(registry_.names(), ", ")));
    }
    return {};
  }

  // The tools are known only when their servers run.
  Status set_mcp(const FrontMatterEntry& entry, Phase& phase) const {
    phase.mcp = words(listed_words(entry.value));
    for (const std::string& name : phase.mcp) {
      const std::size_t dot = name.find('.');
      if (dot == 0 || dot + 1 == name.size()) {
        return wrong(entry, "SERVER.TOOL, SERVER.* or SERVER, separated by blanks");
      }
    }
    return {};
  }

  Status set_allow(const FrontMatterEntry& entry, Phase& phase) const {
    for (const std::string& word : words(entry.value)) {
      const std::optional<Permission> permission = policy::permission_named(word);
      if (!permission) return wrong(entry, "some of these words: " + policy::permission_names());
      phase.allow.insert(*permission);
    }
    return {};
  }

  Status set_max_rounds(const FrontMatterEntry& entry, Phase& phase) const {
    if (parse_number(entry.value, 1, 1000, phase.max_rounds)) return {};
    return wrong(entry, "a number from 1 to 1000");
  }

  Status set_temperature(const FrontMatterEntry& entry, Phase& phase) const {
    double value = 0;
    if (!parse_number(entry.value, 0.0, 2.0, value)) return wrong(entry, "a number from 0 to 2");
    phase.temperature = value;
    return {};
  }

  Status set_mode(const FrontMatterEntry& entry, Phase& phase) const {
    phase.mode = parse_generation_mode(entry.value);
    if (phase.mode) return {};
    return wrong(entry, "'grammar', 'schema', 'hybrid' or 'unconstrained'");
  }

  Status set_thinking(const FrontMatterEntry& entry, Phase& phase) const {
    int tokens = 0;
    if (!parse_number(entry.value, 0, 1048576, tokens)) return wrong(entry, "a number of tokens");
    phase.thinking_tokens = tokens;
    return {};
  }

  Status set_reply_tokens(const FrontMatterEntry& entry, Phase& phase) const {
    int tokens = 0;
    if (!parse_number(entry.value, 16, 1048576, tokens)) return wrong(entry, "a number of tokens");
    phase.reply_tokens = tokens;
    return {};
  }

  Status set_logit_bias(const FrontMatterEntry& entry, Phase& phase) const {
    const Result<Json> json = parse_json(entry.value);
    if (!json || !json->is_object()) return wrong(entry, "an object like model.logit_bias");
    const auto read = read_biases(*json, "");
    if (!read) return error_at(place_, entry.line, read.error().message);
    phase.logit_bias = *json;
    return {};
  }

  Status set_bodies(const FrontMatterEntry& entry, Phase& phase) const {
    const std::optional<Bodies> bodies = parse_bodies(entry.value);
    if (!bodies) return wrong(entry, "'auto', 'json' or 'raw'");
    phase.bodies = *bodies;
    return {};
  }

  Status set_evidence(const FrontMatterEntry& entry, Phase& phase) const {
    std::vector<std::string> names;
    for (const auto& [evidence, name] : evidence_names()) {
      names.emplace_back(name);
      if (name != entry.value) continue;
      phase.evidence = evidence;
      return {};
    }
    return wrong(entry, "one of: " + join(names, " "));
  }

  Status set_conversation(const FrontMatterEntry& entry, Phase& phase) const {
    phase.anew = entry.value == "new";
    if (phase.anew || entry.value == "same") return {};
    return wrong(entry, "'new' or 'same'");
  }

  template <bool Phase::*flag>
  Status set_flag(const FrontMatterEntry& entry, Phase& phase) const {
    phase.*flag = entry.value == "yes";
    if (phase.*flag || entry.value == "no") return {};
    return wrong(entry, "'yes' or 'no'");
  }

  Status set_for_each(const FrontMatterEntry& entry, Phase& phase) const {
    phase.for_each = entry.value;
    if (!entry.value.empty()) return {};
    return wrong(entry, "PHASE.MEMBER or one of the agent's lists");
  }

  Status set_skip(const FrontMatterEntry& entry, Phase& phase) const {
    for (const std::string& word : words(entry.value)) {
      if (word == "checks_pass") {
        phase.skip_when_checks_pass = true;
      } else if (word == "solved") {
        phase.skip_when_solved = true;
      } else if (word == "unshown") {
        phase.skip_when_unshown = true;
      } else {
        return wrong(entry, "some of: checks_pass solved unshown");
      }
    }
    return {};
  }

  Status set_output(const FrontMatterEntry& entry, Phase& phase) const {
    const Result<std::string> text = library_.read(entry.value);
    if (!text) return text.error().at(fmt::format("{}:{}", place_, entry.line));
    Result<Json> json = parse_json(*text);
    if (!json) return json.error().at(library_.place(entry.value));
    Result<Schema> schema = parse_schema(*json, SchemaDialect::kClosed);
    if (!schema) return schema.error().at(library_.place(entry.value));
    phase.output_schema_json = std::move(*json);
    phase.output_schema = std::move(*schema);
    return {};
  }

  const PromptLibrary& library_;
  const Registry& registry_;
  std::string place_;
};

// Returns "implement" for "build/4-implement.md"; nullopt for files that are not phases.
std::optional<std::string> phase_name(std::string_view file) {
  const std::string_view base = base_name(file);
  const std::size_t digits = base.find_first_not_of("0123456789");
  if (digits == 0 || digits == base.npos || base[digits] != '-' || !base.ends_with(".md")) {
    return std::nullopt;
  }
  return std::string(base.substr(digits + 1, base.size() - digits - 4));
}

Result<Phase> load_phase(const PromptLibrary& library, const Registry& registry,
                         const std::string& file) {
  const std::string place = library.place(file);
  PEDRO_TRY(const std::string text, library.read(file));
  PEDRO_TRY(const FrontMatter front, parse_front_matter(place, text));
  Phase phase;
  phase.name = *phase_name(file);
  const PhaseReader reader(library, registry, file);
  for (const FrontMatterEntry& entry : front.entries) {
    PEDRO_RETURN_IF_ERROR(reader.take(entry, phase));
  }
  if (phase.output_schema_json.is_null()) {
    return error_at(place, 1, "'output' is missing: the schema of the phase's result");
  }
  PEDRO_TRY(PromptTemplate prompt,
            PromptTemplate::parse(place, front.body, front.body_line,
                                  [&](const std::string& name) { return library.read(name); }));
  phase.prompt = std::move(prompt);
  return phase;
}

// Returns true if the output of an earlier phase has `list` (PHASE.MEMBER) as an array.
bool is_list_of(const std::vector<Phase>& earlier, std::string_view list) {
  const std::size_t dot = list.find('.');
  if (dot == list.npos) return false;
  for (const Phase& phase : earlier) {
    if (phase.name != list.substr(0, dot)) continue;
    const Json& properties = member(phase.output_schema_json, "properties");
    return text_of(member(properties, list.substr(dot + 1)), "type") == "array";
  }
  return false;
}

// Variables of all phases, and those of phases with `for_each`.
constexpr std::string_view kCommonVariables[] = {"task", "title", "tools", "finish", "rounds"};
constexpr std::string_view kItemVariables[] = {"item", "number", "total"};

// Checks that a phase's name is unique, since its output is a variable of later phases.
Status check_name(const std::string& place, const Phase& phase, const AgentTerms& terms,
                  const std::vector<Phase>& earlier) {
  const bool is_taken = phase.name == "calls" || is_one_of(phase.name, kCommonVariables) ||
                        is_one_of(phase.name, kItemVariables) ||
                        is_one_of(phase.name, terms.variables);
  if (is_taken) {
    return Error{
        ErrorKind::kConfig,
        fmt::format(
            "{}: a phase must not be called '{}': {{{{{}}}}} has another meaning in prompts", place,
            phase.name, phase.name)};
  }
  const auto same = [&phase](const Phase& one) { return one.name == phase.name; };
  if (std::none_of(earlier.begin(), earlier.end(), same)) return {};
  return Error{ErrorKind::kConfig,
               fmt::format("{}: the phase '{}' already exists", place, phase.name)};
}

// Checks that the agent or earlier phases provide the terms that a phase uses.
Status check_terms(const std::string& place, const Phase& phase, const AgentTerms& terms,
                   const std::vector<Phase>& earlier) {
  if (Status named = check_name(place, phase, terms, earlier); !named) return named;
  std::vector<std::string> known(std::begin(kCommonVariables), std::end(kCommonVariables));
  known.insert(known.end(), terms.variables.begin(), terms.variables.end());
  if (!phase.for_each.empty()) {
    known.insert(known.end(), std::begin(kItemVariables), std::end(kItemVariables));
  }
  for (const Phase& before : earlier) known.push_back(before.name);
  if (Status checked = phase.prompt.check(known); !checked) return checked;
  const auto has = [](const auto& list, const auto& wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
  };
  if (phase.evidence != Evidence::kNone && !has(terms.evidence, phase.evidence)) {
    return Error{ErrorKind::kConfig,
                 fmt::format("{}: evidence: '{}' is not something that this agent can show", place,
                             to_string(phase.evidence))};
  }
  const std::string list = terms.lists.empty() ? "" : terms.lists.front();
  const bool of_parts = phase.evidence == Evidence::kDiffLines ||
                        (has(terms.variables, "part") && phase.prompt.uses("part"));
  if (of_parts && phase.for_each != list) {
    return Error{
        ErrorKind::kConfig,
        fmt::format("{}: {} is about one part: expected 'for_each: {}'{}", place,
                    phase.evidence == Evidence::kDiffLines ? "evidence: diff_lines" : "{{part}}",
                    list, phase.for_each.empty() ? "" : ", got '" + phase.for_each + "'")};
  }
  if (phase.for_each.empty() || has(terms.lists, phase.for_each)) return {};
  if (is_list_of(earlier, phase.for_each)) return {};
  return Error{ErrorKind::kConfig,
               fmt::format("{}: for_each: expected PHASE.MEMBER, an array in the output of an "
                           "earlier phase{}{}, got '{}'",
                           place, terms.lists.empty() ? "" : ", or ", join(terms.lists, ", "),
                           phase.for_each)};
}

// Sorts phase files by number: 9 before 10.
void sort_by_number(std::vector<std::string>& files) {
  const auto number = [](const std::string& file) {
    return std::strtol(std::string(base_name(file)).c_str(), nullptr, 10);
  };
  std::stable_sort(files.begin(), files.end(),
                   [&](const auto& a, const auto& b) { return number(a) < number(b); });
}

}  // namespace

std::optional<Bodies> parse_bodies(std::string_view text) {
  if (text == "auto") return Bodies::kAuto;
  if (text == "json") return Bodies::kJson;
  if (text == "raw") return Bodies::kRaw;
  return {};
}

std::vector<std::string> agent_names(const PromptLibrary& library) {
  std::vector<std::string> agents = library.folders();
  std::erase_if(agents, [&](const std::string& folder) {
    const std::vector<std::string> files = library.list(folder);
    return std::find(files.begin(), files.end(), folder + "/system.md") == files.end();
  });
  return agents;
}

bool writes(const Workflow& workflow) {
  return std::any_of(workflow.phases.begin(), workflow.phases.end(), [](const Phase& phase) {
    return std::any_of(phase.allow.begin(), phase.allow.end(),
                       [](Permission permission) { return permission != Permission::kRead; });
  });
}

std::size_t follow_up_index(const Workflow& workflow) {
  const std::vector<Phase>& phases = workflow.phases;
  const auto changes = std::find_if(phases.rbegin(), phases.rend(), [](const Phase& phase) {
    return phase.evidence == Evidence::kChange || phase.evidence == Evidence::kSolution;
  });
  return static_cast<std::size_t>(phases.rend() -
                                  (changes == phases.rend() ? phases.rbegin() : changes)) -
         1;
}

Phase follow_up_phase(const Workflow& workflow) {
  Phase phase = workflow.phases[follow_up_index(workflow)];
  phase.skip_when_solved = false;
  phase.skip_when_unshown = false;
  phase.prompt = *workflow.follow_up;
  return phase;
}

Result<Workflow> load_workflow(const PromptLibrary& library, const Registry& registry,
                               const std::string& agent) {
  Workflow workflow;
  workflow.agent = agent;
  PEDRO_TRY(PromptTemplate system, library.load(agent + "/system.md"));
  if (Status checked = system.check({"calls"}); !checked) return checked.error();
  workflow.system = std::move(system);

  std::vector<std::string> files = library.list(agent);
  std::erase_if(files, [](const std::string& file) { return !phase_name(file); });
  sort_by_number(files);
  for (const std::string& file : files) {
    PEDRO_TRY(Phase phase, load_phase(library, registry, file));
    workflow.phases.push_back(std::move(phase));
  }
  const AgentTerms& terms = terms_of(agent, writes(workflow));
  for (Phase& phase : workflow.phases) {
    phase.takes_blocked = writes(workflow) && phase.evidence != Evidence::kNone &&
                          !member(phase.output_schema_json, "properties").contains(kBlockedReason);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<Phase> earlier(workflow.phases.begin(),
                                     workflow.phases.begin() + static_cast<std::ptrdiff_t>(i));
    PEDRO_RETURN_IF_ERROR(check_terms(library.place(files[i]), workflow.phases[i], terms, earlier));
  }
  if (workflow.phases.empty()) {
    return Error{ErrorKind::kConfig, fmt::format("prompts/{}: no phases (1-name.md …)", agent)};
  }
  const std::vector<std::string> all = library.list(agent);
  const std::string follow_up = agent + "/follow-up.md";
  if (std::find(all.begin(), all.end(), follow_up) == all.end()) return workflow;
  PEDRO_TRY(workflow.follow_up, library.load(follow_up));
  const auto at = static_cast<std::ptrdiff_t>(follow_up_index(workflow));
  const std::vector<Phase> earlier(workflow.phases.begin(), workflow.phases.begin() + at);
  PEDRO_RETURN_IF_ERROR(
      check_terms(library.place(follow_up), follow_up_phase(workflow), terms, earlier));
  return workflow;
}

}  // namespace pedro
