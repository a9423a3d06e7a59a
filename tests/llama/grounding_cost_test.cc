// Measures grounded calls in a project of 20,000 files on a real llama-server. Prints times as
// ratios to the same calls without grounding. Checks only the replies, never the times.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "agent/feedback.h"
#include "agent/narrowed_calls.h"
#include "agent/tool_set.h"
#include "base/median.h"
#include "bench/timing.h"
#include "llama/opened_model.h"
#include "schema_to_gbnf/tool_calls.h"
#include "tools/registry.h"

namespace pedro {
namespace {

constexpr int kReplies = 12;

// 20,000 paths in folders of 20 files, as in a large project.
std::set<std::string> many_paths() {
  std::set<std::string> paths;
  for (int i = 0; i < 20'000; ++i) {
    paths.insert(fmt::format("packages/module_{:02}/src/part_{:02}/component_{:05}.cc", i / 400,
                             i / 20 % 20, i));
  }
  return paths;
}

// The calls that read a file.
struct ReadCalls {
  ReadCalls() {
    phase.name = "analyze";
    phase.tools = {"file"};
    phase.allow = {Permission::kRead};
    phase.output_schema_json = *parse_json(R"({"type": "object"})");
    phase.output_schema = *parse_schema(phase.output_schema_json, SchemaDialect::kClosed);
    tools.emplace(registry, phase, feedback, ToolStyle::kDescribed);
    for (const CallBranch& call : tools->calls()) {
      if (call.tool == "file" && call.action == "read") calls.push_back(call);
    }
    REQUIRE(calls.size() == 1);
  }

  RealFileSystem files;
  Registry registry = *Registry::open(files, "");
  Feedback feedback = *Feedback::load(*PromptLibrary::open(files, ""));
  Phase phase;
  std::optional<ToolSet> tools;
  std::vector<CallBranch> calls;
};

// Returns the median milliseconds for a generated token.
double ms_per_token(std::span<const CallBranch> calls, const std::set<std::string>* paths) {
  OpenedModel model({.steering = Steering::kSingle});
  std::vector<double> ms;
  for (int i = 0; i < kReplies; ++i) {
    model.begin_anew();
    const Reply reply = model.reply_to({.chat = model.chat,
                                        .calls = calls,
                                        .mode = GenerationMode::kGrammar,
                                        .temperature = 1,
                                        .max_tokens = 64,
                                        .seed = static_cast<std::uint32_t>(i)});
    ms.push_back(reply.usage.generate_ms / static_cast<double>(reply.usage.generated_tokens));
    if (paths == nullptr || reply.stop != StopReason::kEnd) continue;
    REQUIRE(reply.parts.size() == 1);
    const auto* call = std::get_if<ParsedCall>(&reply.parts[0]);
    REQUIRE(call != nullptr);
    CHECK(paths->contains(text_of(call->args, "path")));
  }
  return median(ms);
}

}  // namespace

TEST_CASE("grounding cost: 20,000 paths") {
  const ReadCalls free;
  const std::set<std::string> paths = many_paths();
  NarrowedCalls narrowed;
  const auto begin = SteadyClock::now();
  const Narrowing project = narrowing_of_project(paths);
  const double listed_ms = ms_since(begin);
  narrowed.add(free.calls[0], project, {});
  const Gbnf grammar = tool_call_grammar(narrowed.calls());
  const double built_ms = ms_since(begin);
  CHECK(project.texts.contains(Named::kFile));

  const double free_ms = ms_per_token(free.calls, nullptr);
  const double grounded_ms = ms_per_token(narrowed.calls(), &paths);
  MESSAGE(fmt::format(
      "build: {:.1f} ms, of which {:.1f} for the names. A token: {:.2f} ms, without "
      "grounding {:.2f} ms: {:.2f} times, {:+.2f} ms",
      built_ms, listed_ms, grounded_ms, free_ms, grounded_ms / free_ms, grounded_ms - free_ms));
}

}  // namespace pedro
