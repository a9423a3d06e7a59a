// Runs a conversation of many rounds on a real llama-server. The model writes noise, and each of
// its calls gets a long result. No request may be refused. The token counts must equal the
// server's, and few tokens may be evaluated twice.
//
// PEDROCLI_ROUNDS is the number of rounds, PEDROCLI_RESULT_WORDS the length of results.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "agent/context_keeper.h"
#include "agent/silent_observer.h"
#include "agent/tool_world.h"
#include "llama/opened_model.h"
#include "llama/short_calls.h"

namespace pedro {
namespace {

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

struct Observer : SilentObserver {
  Status on_compaction(const CompactionReport& report) override {
    ++compactions;
    entered += report.note_tokens;
    ++notes[report.note];
    if (!report.note_problem.empty()) problems.insert(report.note_problem);
    asked += report.note_usage.prompt_tokens - report.note_usage.cached_tokens;
    for (const CompactionReport::Left& one : report.left) entered += one.cleared ? 48 : 0;
    return {};
  }
  long long entered = 0;             // tokens of notes and markers
  std::map<std::string, int> notes;  // by kind
  std::set<std::string> problems;    // in summaries
  long long asked = 0;               // tokens evaluated for summaries
};

// The server's handling of cached tokens after a removed part of the prompt.
enum class Cache {
  kStays,  // evaluated again
  kMoves,
};

// A job's conversation without a job.
struct Rounds : OpenedModel, ToolWorld {
  Rounds(const ContextSettings& settings, Cache cache)
      : OpenedModel({.steering = Steering::kSingle, .shifts_cache = cache == Cache::kMoves}),
        build(*BuildPhases::load()),
        calls(build, 0, Bodies::kJson) {
    keeper = std::make_unique<ContextKeeper>(*model, tools, feedback, observer, answers,
                                             suited_to(settings, info.can.shifts_cache));
    keeper->set_window(info.context_tokens, info.context_tokens / 8);
    keeper->conversation().append(text_message(Role::kSystem, ""),
                                  {{PartKind::kSystem, text_of(300, 0)}});
    keeper->conversation().append(text_message(Role::kUser, ""),
                                  {{PartKind::kTask, text_of(200, 1)}});
  }

  static std::string text_of(int words, int salt) {
    std::string text;
    for (int i = 0; i < words; ++i) text += fmt::format("word{} ", (i * 7919 + salt) % 977);
    return text;
  }

  // Runs one round. The prompt of a constrained reply also contains the start of the call.
  void round(int number, int words, bool constrained) {
    const GenerateRequest request{
        .chat = keeper->request(),
        .calls = calls.branches,
        .mode = constrained ? GenerationMode::kGrammar : GenerationMode::kUnconstrained,
        .temperature = 1,
        .max_tokens = 64};
    const Status fits = keeper->fit(request);
    REQUIRE_MESSAGE(fits.ok(), fits.error().message);
    const long long counted = keeper->conversation().ledger().total();
    const auto reply = model->generate(request);
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    const Usage& usage = reply->usage;
    // A call cut by a limit is continued. Its text then counts as prompt.
    CHECK(usage.prompt_tokens >= counted);
    CHECK(usage.prompt_tokens <= counted + (constrained ? request.max_tokens : 0));
    ++(usage.prompt_tokens == counted ? exact : gone_on_with);
    CHECK(usage.prompt_tokens <= keeper->budget().limit());
    largest = std::max(largest, usage.prompt_tokens);
    evaluated += usage.prompt_tokens - usage.cached_tokens;
    missed += std::max(0LL, reply->expected_cached_tokens - usage.cached_tokens);
    keeper->conversation().append(text_message(Role::kAssistant, ""),
                                  {{PartKind::kReply, reply->text}}, usage.generated_tokens);
    auto facts = std::make_shared<CallFacts>();
    facts->tool = "file";
    facts->target = fmt::format("f{}.c", number % 17);
    facts->call = "file read " + facts->target;
    facts->ok = number % 5 != 0;
    const std::string text = text_of(words * (1 + number % 3) / 2, number);
    entered += usage.generated_tokens + model->count_text(text);
    WrittenPart result{PartKind::kResult, text};
    result.facts = std::move(facts);
    keeper->conversation().append(text_message(Role::kUser, ""), {std::move(result)});
  }

  Feedback feedback = *Feedback::load(*PromptLibrary::open(ToolWorld::files, ""));
  Observer observer;
  AnswerLog answers;
  BuildPhases build;
  ShortCalls calls;
  std::unique_ptr<ContextKeeper> keeper;
  long long largest = 0;
  long long entered = 500;
  long long evaluated = 0;
  long long missed = 0;
  int exact = 0;  // prompts with an exact count
  int gone_on_with = 0;
};

enum class Replies { kCalls, kText, kBoth };

Observer run(const char* name, const ContextSettings& settings, Replies replies, Cache cache) {
  Rounds rounds(settings, cache);
  REQUIRE(rounds.info.can.shifts_cache == (cache == Cache::kMoves));
  const int count = number_from("PEDROCLI_ROUNDS", 20);
  const int words = number_from("PEDROCLI_RESULT_WORDS", 150);
  for (int i = 0; i < count; ++i) {
    const bool constrained = replies == Replies::kCalls || (replies == Replies::kBoth && i % 4 > 1);
    rounds.round(i, words, constrained);
  }
  CHECK(rounds.observer.compactions > 0);
  CHECK(rounds.missed <= 2 * count);  // wrong guesses of ids inside characters of noise
  CHECK(2 * rounds.gone_on_with <= rounds.exact);  // on average, one call in twelve is cut
  const long long entered = rounds.entered + rounds.observer.entered;
  const double times = static_cast<double>(rounds.evaluated) / static_cast<double>(entered);
  const double most = cache == Cache::kMoves ? 1.15 : 1.5;
  if (settings.low_water < 0.5) CHECK(times <= most);
  MESSAGE(
      fmt::format("{}: {} rounds, {} compactions, largest prompt {}, {} tokens entered, {} "
                  "evaluated: {:.2f} times; {} prompts as counted, {} resumed",
                  name, count, rounds.observer.compactions, rounds.largest, entered,
                  rounds.evaluated, times, rounds.exact, rounds.gone_on_with));
  return rounds.observer;
}

}  // namespace

TEST_CASE("context: long results in a small window, compacted in large steps") {
  run("high to low", {}, Replies::kCalls, Cache::kStays);
}

TEST_CASE("context: the same with a server that moves its cache") {
  run("high to low, moved", {}, Replies::kCalls, Cache::kMoves);
}

TEST_CASE("context: our count equals the server's") {
  run("free text, moved", {}, Replies::kText, Cache::kMoves);
}

// A noise model sometimes ends a text.
TEST_CASE("context: the model writes a summary, which its conversation does not contain") {
  ContextSettings settings;
  settings.note = Note::kSummary;
  const Observer seen = run("summaries", settings, Replies::kCalls, Cache::kStays);
  int notes = 0;
  for (const auto& [kind, count] : seen.notes) {
    CAPTURE(kind);
    CHECK(kind != "none");
    notes += count;
  }
  MESSAGE(fmt::format("{} notes, {} tokens evaluated to ask for them", notes, seen.asked));
  CHECK(seen.asked > 0);
  CHECK(seen.asked < notes * 1000LL);  // the question, and results that are new to the model
  for (const std::string& problem : seen.problems) {
    CAPTURE(problem);
    CHECK(problem.starts_with("it did not end within "));
  }
}

TEST_CASE("context: side questions are in no prompt") {
  Rounds rounds({}, Cache::kStays);
  rounds.round(0, 20, true);
  ChatRequest chat = rounds.keeper->request();
  const GenerateRequest next{.chat = rounds.keeper->request(),
                             .calls = rounds.calls.branches,
                             .mode = GenerationMode::kUnconstrained,
                             .max_tokens = 8};
  const auto before = rounds.model->count_prompt(next);
  REQUIRE(before.ok());
  chat.messages.push_back(text_message(Role::kUser, "And what is left to do?"));
  const auto aside = rounds.model->ask_aside({.chat = chat, .calls = {}, .max_tokens = 8});
  REQUIRE(aside.ok());
  CHECK(aside->usage.prompt_tokens > **before);
  const auto after = rounds.model->count_prompt(next);
  REQUIRE(after.ok());
  CHECK(**after == **before);
  const auto reply = rounds.model->generate(next);
  REQUIRE(reply.ok());
  CHECK(reply->usage.prompt_tokens == **before);
  CHECK(reply->usage.cached_tokens >= reply->expected_cached_tokens);
}

// A reply that must be a call has a different prefix.
TEST_CASE("context: replies that were begun in different ways meet") {
  run("free text and calls", {}, Replies::kBoth, Cache::kStays);
}

// Measures naive strategies: minimal compactions, in our order, and oldest first after the first
// messages, as many clients do.
TEST_CASE("context: the same, compacted in small steps, costs more" * doctest::skip()) {
  ContextSettings settings;
  settings.low_water = settings.high_water - 0.01;
  run("just enough", settings, Replies::kCalls, Cache::kStays);
  settings.rules.strategies = {Strategy::kOldest};
  settings.note = Note::kNone;
  run("the oldest, just enough", settings, Replies::kCalls, Cache::kStays);
}

}  // namespace pedro
