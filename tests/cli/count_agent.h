#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/program.h"

namespace pedro {

/// A project with a.txt and an agent "count", whose one phase reports a number.
struct CountAgent : Program {
  /// `settings` are further lines of the phase's front matter. Callers commit the project.
  explicit CountAgent(const std::string& settings = "") {
    folder.write("project/.pedro/agents/count/system.md", "You count.\n\n{{calls}}\n");
    folder.write("project/.pedro/agents/count/1-look.md",
                 "---\ntools: search\nallow: read\n" + settings +
                     "max_rounds: 4\nevidence: none\noutput: count/look.schema.json\n---\n"
                     "Count: {{task}}\n{{tools}}\n{{finish}}\n");
    folder.write("project/.pedro/agents/count/look.schema.json",
                 R"({"type":"object","properties":{"number":{"type":"integer"}},)"
                 R"("required":["number"]})");
    folder.write("project/a.txt", "one\n");
  }

  /// Runs the agent with these replies, and a last one that ends the phase.
  ProcessResult job(std::vector<std::string> calls) {
    calls.emplace_back(R"({"tool":"phase_complete","args":{"number":3}})");
    return run({"run", "count", "bees", "-backend", "manual"}, typed(calls));
  }
};

}  // namespace pedro
