// Tests the prompts of all built-in agents.
#include <doctest/doctest.h>

#include <set>

#include "agent/prompt_bench.h"
#include "base/text.h"

namespace pedro {
namespace {

// Estimates the tokens of a prompt: 3.5 bytes per token, as in English.
std::size_t tokens_of(const std::vector<ChatMessage>& messages) {
  std::size_t bytes = 0;
  for (const ChatMessage& message : messages) bytes += text_of(message).size();
  return bytes * 2 / 7;
}

// Returns the texts between backticks, outside of fences.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  std::size_t begin = text.find('`');
  while (begin != text.npos) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == text.npos) break;
    names.emplace_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  return names;
}

// Adds the member names and enumeration values of a schema, at any depth.
void add_schema_names(const Json& schema, std::set<std::string>& names) {
  const Json flat = schema.flatten();
  for (const auto& [path, value] : flat.items()) {
    for (const std::string_view part : split(path, '/')) names.emplace(part);
    if (value.is_string()) names.insert(value.get<std::string>());
  }
}

}  // namespace

TEST_CASE("prompts: names in backticks exist") {
  PromptBench bench;
  std::set<std::string> common = {std::string(kPhaseComplete), "===", "###"};
  for (const std::string& tool : bench.registry.names()) common.insert(tool);
  for (const std::string& agent : agent_names(bench.library)) common.insert(agent);
  int seen = 0;
  for (const std::string& agent : agent_names(bench.library)) {
    const auto workflow = load_workflow(bench.library, bench.registry, agent);
    REQUIRE(workflow.ok());
    std::set<std::string> of_agent = common;
    for (const Phase& phase : workflow->phases)
      add_schema_names(phase.output_schema_json, of_agent);
    for (const std::string& file : bench.library.list(agent)) {
      if (!file.ends_with(".md")) continue;
      for (const std::string& name : names_in(*bench.library.read(file))) {
        ++seen;
        CHECK_MESSAGE(of_agent.contains(name), file, ": `", name, "`");
      }
    }
  }
  CHECK(seen > 10);
}

TEST_CASE("prompts: every agent loads; no first prompt of a phase is long") {
  PromptBench bench;
  const std::vector<std::string> agents = agent_names(bench.library);
  CHECK(agents == std::vector<std::string>{"ask", "blog", "build", "debug", "review", "triage"});
  for (const std::string& agent : agents) {
    CAPTURE(agent);
    const auto workflow = load_workflow(bench.library, bench.registry, agent);
    const std::string problem = workflow.ok() ? "" : workflow.error().message;
    REQUIRE_MESSAGE(workflow.ok(), problem);
    const std::size_t most = agent == "blog" ? 1500 : 2500;
    bench.each_prompt(*workflow, [&](const Phase& phase, const std::vector<ChatMessage>& prompt) {
      const std::size_t tokens = tokens_of(prompt);
      MESSAGE(agent, " ", phase.name, ": about ", tokens, " tokens");
      CHECK(tokens > 100);
      CHECK(tokens <= most);
      CHECK(text_of(prompt.back()).find("{{") == std::string::npos);
      CHECK(text_of(prompt.back()).find("phase_complete") != std::string::npos);
    });
  }
}

TEST_CASE("prompts: every file of an agent is used") {
  PromptBench bench;
  for (const std::string& agent : agent_names(bench.library)) {
    std::string all;
    for (const std::string& file : bench.library.list(agent)) {
      if (file.ends_with(".md")) all += *bench.library.read(file);
    }
    for (const std::string& file : bench.library.list(agent)) {
      CAPTURE(file);
      const bool schema = file.ends_with(".schema.json");
      if (schema) CHECK(all.find("output: " + file + "\n") != std::string::npos);
      CHECK((schema || file.ends_with(".md")));
    }
  }
}

TEST_CASE("prompts: agents that only read have nothing that changes something") {
  PromptBench bench;
  for (const char* agent : {"review", "triage", "blog"}) {
    CAPTURE(agent);
    CHECK_FALSE(writes(*load_workflow(bench.library, bench.registry, agent)));
  }
  for (const char* agent : {"build", "debug"}) {
    CAPTURE(agent);
    CHECK(writes(*load_workflow(bench.library, bench.registry, agent)));
  }
}

TEST_CASE("prompts: words of a list may be apart by several blanks") {
  PromptBench bench;
  bench.folder.write("agents/own/system.md", "{{calls}}");
  bench.folder.write("agents/own/x.schema.json", R"({"type":"object","properties":{}})");
  bench.folder.write("agents/own/1-a.md",
                     "---\noutput: own/x.schema.json\ntools: file  search\nallow: read  write\n"
                     "skip: checks_pass  solved\n---\nx\n");
  const auto library = PromptLibrary::open(bench.files, "", bench.folder.at("agents"));
  REQUIRE(library.ok());
  const auto workflow = load_workflow(*library, bench.registry, "own");
  REQUIRE(workflow.ok());
  const Phase& phase = workflow->phases.at(0);
  CHECK(phase.tools == std::vector<std::string>{"file", "search"});
  CHECK(phase.allow == std::set<Permission>{Permission::kRead, Permission::kWrite});
  CHECK(phase.skip_when_checks_pass);
  CHECK(phase.skip_when_solved);
  CHECK(!phase.skip_when_unshown);
}

TEST_CASE("prompts: invalid settings of an agent are errors with their location") {
  struct Row {
    const char* name;
    const char* front;
    const char* body;
    const char* expected;
    const char* file = "1-a.md";
  };
  for (const Row& row : {
           Row{"a variable of other agents", "", "{{diff}}", "unknown variable 'diff'"},
           Row{"evidence of other agents", "evidence: checks\n", "x",
               "evidence: 'checks' is not something that this agent can show"},
           Row{"a list that is none", "for_each: a.things\n", "{{item}}",
               "for_each: expected PHASE.MEMBER"},
           Row{"an item without for_each", "", "{{item}}", "unknown variable 'item'"},
           Row{"an unknown tool", "tools: serach\n", "x", "unknown tool 'serach'"},
           Row{"an unknown permission", "allow: read wirte\n", "x",
               "allow: expected some of these words: read, write, execute, history or network"},
           Row{"an unknown key", "max_round: 3\n", "x", "did you mean 'max_rounds'?"},
           Row{"neither yes nor no", "stays: always\n", "x",
               "expected 'yes' or 'no', got 'always'"},
           Row{"unknown evidence", "evidence: hearsay\n", "x", "evidence: expected one of"},
           Row{"a schema that is not there", "output: own/y.schema.json\n", "x",
               "own/y.schema.json"},
           Row{"a schema that is none", "output: own/z.schema.json\n", "x", "z.schema.json"},
           Row{"an include that is not there", "", "{{include own/part.md}}", "own/part.md"},
           Row{"an include of itself", "", "{{include own/1-a.md}}", "1-a.md"},
           Row{"the output of a later phase", "", "{{b}}", "unknown variable 'b'"},
           Row{"a phase of that name", "", "x", "2-b.md: the phase 'b' already exists", "1-b.md"},
           Row{"a phase called like a variable", "", "x",
               "1-task.md: a phase must not be called 'task': {{task}} has another meaning",
               "1-task.md"},
           Row{"a phase called like an item's number", "", "x",
               "1-number.md: a phase must not be called 'number'", "1-number.md"},
           Row{"a phase called like the title of the task", "", "x",
               "1-title.md: a phase must not be called 'title'", "1-title.md"},
           Row{"a phase called like a variable of the agent", "", "x",
               "1-project.md: a phase must not be called 'project'", "1-project.md"},
       }) {
    CAPTURE(row.name);
    PromptBench bench;
    bench.folder.write("agents/own/system.md", "{{calls}}");
    bench.folder.write("agents/own/x.schema.json", R"({"type":"object","properties":{}})");
    bench.folder.write("agents/own/z.schema.json", R"({"type":"objekt"})");
    bench.folder.write("agents/own/2-b.md", "---\noutput: own/x.schema.json\n---\nx\n");
    const std::string front = row.front;
    const std::string output = front.starts_with("output") ? "" : "output: own/x.schema.json\n";
    bench.folder.write(std::string("agents/own/") + row.file,
                       "---\n" + output + front + "---\n" + row.body + "\n");
    const auto library = PromptLibrary::open(bench.files, "", bench.folder.at("agents"));
    REQUIRE(library.ok());
    const auto workflow = load_workflow(*library, bench.registry, "own");
    REQUIRE_FALSE(workflow.ok());
    CHECK_MESSAGE(workflow.error().message.find(row.expected) != std::string::npos,
                  workflow.error().message);
    const bool of_schema = workflow.error().message.find("z.schema.json") != std::string::npos;
    const bool of_name = std::string_view(row.file) != "1-a.md";
    CHECK((of_schema || of_name || workflow.error().message.find("1-a.md") != std::string::npos));
  }
}

}  // namespace pedro
