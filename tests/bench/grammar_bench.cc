// grammar_bench [SECONDS]
//
// The time to build the grammar of all tools' calls: from the manifests' schemas to the GBNF text
// (cold), and by asking CallGrammars again (cached). The reference is nlohmann's parsing of the
// manifests' schemas, measured in the same run on the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/median.h"
#include "schema_to_gbnf/tool_calls.h"
#include "sys/file_system.h"
#include "tools/registry.h"

namespace pedro {
namespace {

using Clock = std::chrono::steady_clock;

// The median time of single runs, in microseconds.
template <typename Run>
double median_us(double seconds, Run run) {
  std::vector<double> times;
  const auto start = Clock::now();
  do {
    const auto before = Clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
  } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);
  return median(std::move(times));
}

std::vector<CallBranch> branches_of(const Registry& registry) {
  std::vector<CallBranch> branches;
  for (const Manifest& manifest : registry.manifests()) {
    for (const ActionManifest& action : manifest.actions) {
      branches.push_back({manifest.name, action.name, &action.schema});
    }
  }
  return branches;
}

int bench(double seconds) {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  if (!registry.ok()) return 1;
  const std::vector<CallBranch> branches = branches_of(*registry);
  std::vector<std::string> documents;
  for (const Manifest& manifest : registry->manifests()) {
    for (const ActionManifest& action : manifest.actions) {
      documents.push_back(to_line(action.schema_json));
    }
  }
  std::size_t bytes = 0;
  const double reference = median_us(seconds, [&] {
    for (const std::string& document : documents) bytes += Json::parse(document).size();
  });
  const double cold =
      median_us(seconds, [&] { bytes += print(tool_call_grammar(branches)).size(); });
  CallGrammars grammars;
  bytes += grammars.get(branches).text.size();
  const double cached =
      median_us(seconds, [&] { bytes += grammars.get(branches_of(*registry)).text.size(); });
  fmt::print("{} actions, {} bytes of GBNF (checksum {})\n", branches.size(),
             print(tool_call_grammar(branches)).size(), bytes % 1000);
  fmt::print("nlohmann parses their schemas: {:9.1f} us\n", reference);
  fmt::print("grammar, cold:                 {:9.1f} us  {:6.2f} x the reference\n", cold,
             cold / reference);
  fmt::print("grammar, cached:               {:9.2f} us  {:6.4f} x the reference\n", cached,
             cached / reference);
  return 0;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::bench(argc > 1 ? std::atof(argv[1]) : 1);
}
