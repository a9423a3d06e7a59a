// server_grammar_bench [-outputs COUNT]
//
// The cost of a token on a real llama-server under two grammars of the same JSON Schema: ours, and
// the server's own. The schema for each phase of a build is an anyOf of the calls that the phase
// allows. It passes through our converter, and goes to the server as "json_schema". The outputs of
// both alternate, with the same seeds. The result is the median over all outputs.
//
//   export PEDROCLI_MAKE_MODEL=build/release/tests/make_model
//   tests/llama/with-server -- build/release/tests/server_grammar_bench
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/median.h"
#include "bench/timing.h"
#include "llama/build_phases.h"
#include "llama/output_source.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro {
namespace {

Json call_schema(std::string_view tool, const Json& args) {
  return Json{{"type", "object"},
              {"properties", Json{{"tool", Json{{"const", tool}}}, {"args", args}}},
              {"required", Json::array({"tool", "args"})},
              {"additionalProperties", false}};
}

// Combines the calls that a phase allows into one schema.
Json schema_of(const BuildPhases& build, const Phase& phase) {
  Json calls = Json::array();
  for (const std::string& tool : phase.tools) {
    for (const ActionManifest& action : build.registry().find(tool)->actions) {
      if (!phase.allow.contains(action.permission)) continue;
      calls.push_back(call_schema(tool, action.schema_json));
    }
  }
  calls.push_back(call_schema(kPhaseComplete, phase.output_schema_json));
  return Json{{"anyOf", calls}};
}

Result<std::string> grammar_of(const Json& json) {
  const auto schema = parse_schema(json);
  if (!schema) return schema.error();
  std::vector<Loosened> loosened;
  GrammarBuilder builder;
  Expr root = add_schema(builder, *schema, "args", loosened);
  return print(builder.finish(std::move(root)));
}

/// The milliseconds per token for each kind of constraint.
struct Times {
  std::vector<double> ours;    // our grammar of the schema
  std::vector<double> calls;   // the grammar that the program sends in the phase
  std::vector<double> theirs;  // the server's grammar of the schema
};

Status measure(OutputSource& source, const BuildPhases& build, std::size_t phase, unsigned outputs,
               Times& times) {
  const Json schema = schema_of(build, build.phases()[phase]);
  const auto grammar = grammar_of(schema);
  if (!grammar) return grammar.error();
  const std::string as_json = to_line(schema);
  for (unsigned seed = 1; seed <= outputs; ++seed) {
    const auto take = [&](const std::string& constraint, bool is_json_schema,
                          std::vector<double>& into) -> Status {
      const auto output =
          source.next({.constraint = constraint, .is_json_schema = is_json_schema, .seed = seed});
      if (!output) return output.error();
      if (output->status != 200) return Error{ErrorKind::kModel, output->text};
      into.push_back(output->ms_per_token);
      return {};
    };
    for (const Status& taken :
         {take(*grammar, false, times.ours), take(as_json, true, times.theirs),
          take(build.grammar(phase), false, times.calls)}) {
      if (!taken) return taken;
    }
  }
  return {};
}

int run(const std::string& url, unsigned outputs) {
  const auto build = BuildPhases::load();
  OutputSource source(url);
  Times all;
  const auto say = [](const std::string& name, const Times& times) {
    fmt::print(
        "{:10} {:6.2f} ms per token under our grammar of the schema, {:6.2f} under the "
        "server's, {:6.2f} under the program's for the phase\n",
        name, median(times.ours), median(times.theirs), median(times.calls));
    std::fflush(stdout);
  };
  Status status = build ? source.open() : Status(build.error());
  for (std::size_t phase = 0; status && phase < build->phases().size(); ++phase) {
    Times times;
    status = measure(source, *build, phase, outputs, times);
    say(build->phases()[phase].name, times);
    all.ours.insert(all.ours.end(), times.ours.begin(), times.ours.end());
    all.theirs.insert(all.theirs.end(), times.theirs.begin(), times.theirs.end());
    all.calls.insert(all.calls.end(), times.calls.begin(), times.calls.end());
  }
  if (!status) {
    fmt::print(stderr, "server_grammar_bench: {}\n", status.error().message);
    return 1;
  }
  say("all", all);
  return 0;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  if (url == nullptr) {
    std::fputs("server_grammar_bench: run it by tests/llama/with-server\n", stderr);
    return 2;
  }
  const bool counted = argc > 2 && std::string(argv[1]) == "-outputs";
  return pedro::run(url, counted ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 5);
}
