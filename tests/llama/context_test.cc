// Runs long jobs on a real llama-server whose model writes noise. The conversation must stay inside
// the window, no request may be refused, and the token counts must equal the server's.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/json.h"
#include "base/text.h"
#include "llama/session.h"

namespace pedro {
namespace {

std::string rounds() {
  const char* wanted = std::getenv("PEDROCLI_ROUNDS");
  return wanted == nullptr ? "60" : wanted;  // limited by ctest's timeout
}

struct Totals {
  int turns = 0;
  int compactions = 0;
  long long largest = 0;    // of a prompt
  long long entered = 0;    // tokens ever added to the transcript
  long long evaluated = 0;  // tokens of prompts
  long long missed = 0;     // cached tokens that were not reused
  int counted_wrong = 0;    // counts above the server's, including the start of calls
};

Totals totals_of(const std::vector<Json>& journal) {
  Totals out;
  long long counted = 0;
  long long before = 0;  // entered tokens after the last reply
  for (const Json& event : journal) {
    const std::string type = text_of(event, "type");
    if (type == "context.appended") {
      counted = number_of(event, "tokens");
      out.entered += counted - before;
    } else if (type == "context.compacted") {
      counted = number_of(event, "after");
      out.entered += number_of(event, "note_tokens");
      ++out.compactions;
    } else if (type == "turn.completed") {
      const Json& usage = member(event, "usage");
      const long long prompt = number_of(usage, "input_tokens");
      ++out.turns;
      out.largest = std::max(out.largest, prompt);
      out.evaluated += prompt - number_of(usage, "cached_input_tokens");
      const long long missed = number_of(member(event, "cache"), "missed_tokens");
      if (missed > 0) MESSAGE("evaluated twice: ", to_line(event));
      out.missed += missed;
      out.counted_wrong += prompt < counted;
      before = prompt;
    }
  }
  return out;
}

// Runs one job. It ends early if the noise repeats itself.
Totals totals_of_job() {
  Session session;
  session.let_phases_go_on("1000");
  session.environment = {{"PEDROCLI_MODEL_MAX_TOKENS", "400"},
                         {"PEDROCLI_MODEL_STEERING", "single"},
                         {"PEDROCLI_MODEL_TEMPERATURE", "1"}};
  const ProcessResult result = session.pedrocli(
      {"build", "-issue", "7", "-max-rounds", rounds(), "-debug=http", "-allow-dirty"});
  INFO(result.err.substr(result.err.size() - std::min<std::size_t>(result.err.size(), 3000)));
  CHECK((result.exit_code == 5 || result.exit_code == 6 || result.exit_code == 9));
  CHECK(result.err.find("exceed_context_size_error") == std::string::npos);
  const Totals totals = totals_of(session.journal());
  CHECK(totals.counted_wrong == 0);
  MESSAGE(fmt::format(
      "{} turns, {} compactions, largest prompt {}, {} tokens entered, {} "
      "evaluated: {:.2f} times",
      totals.turns, totals.compactions, totals.largest, totals.entered, totals.evaluated,
      static_cast<double>(totals.evaluated) / static_cast<double>(totals.entered)));
  return totals;
}

}  // namespace

TEST_CASE("context: a long job stays inside a small window") {
  // A stream of noise can lose a token that ends inside a character. Such a job is repeated.
  constexpr int kMostJobs = 8;
  int exact = 0;  // jobs with compactions that evaluate no token twice
  int missed = 0;
  for (int job = 0; job < kMostJobs && exact == 0; ++job) {
    const Totals totals = totals_of_job();
    missed += totals.missed > 0;
    exact += totals.missed == 0 && totals.compactions > 0;
  }
  CHECK(exact > 0);
  CHECK(missed <= 2);
}

}  // namespace pedro
