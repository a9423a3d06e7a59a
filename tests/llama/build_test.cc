// Tests `pedrocli build` with a real llama-server whose model writes noise. The grammar must turn
// the noise into valid calls, and the server must not evaluate a token twice.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "llama/session.h"

namespace pedro {
namespace {

// Noise may repeat itself four times in any round, which ends a job before its limit (exit 5). The
// test then tries another job.
constexpr int kTries = 5;

bool is_stuck(const std::vector<Json>& journal) {
  return std::any_of(journal.begin(), journal.end(), [](const Json& event) {
    return text_of(event, "type") == "phase.completed" && text_of(event, "end") == "stuck";
  });
}

}  // namespace

TEST_CASE("llama: ten rounds of noise are valid calls, and the cache misses nothing") {
  Session session;
  const ProcessResult result =
      session.pedrocli({"build", "-issue", "7", "-max-rounds", "10", "-debug=http"});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK((result.exit_code == 5 || result.exit_code == 6 || result.exit_code == 9));

  // No request was refused. The model's vocabulary is available here, so /tokenize requests only
  // verify it.
  int tokenized = 0;
  for (const std::string_view line : split_lines(result.err)) {
    tokenized += line.starts_with("debug http: POST ") && line.find("/tokenize ") != line.npos;
    const bool refused = line.starts_with("debug http: 4") || line.starts_with("debug http: 5");
    CHECK_MESSAGE(!refused, line);
  }

  CHECK(tokenized == 3);

  int turns = 0;
  int calls = 0;
  const std::vector<Json> journal = session.journal();
  for (const Json& event : journal) {
    const std::string type = text_of(event, "type");
    if (type == "turn.completed") {
      const Json& usage = member(event, "usage");
      const Json& cache = member(event, "cache");
      if (++turns == 1) {
        CHECK(number_of(usage, "input_tokens") < 3000);  // including the task's files
        MESSAGE("first prompt: ", number_of(usage, "input_tokens"), " tokens");
      } else {
        CHECK(number_of(cache, "expected_tokens") > 0);
        CHECK(number_of(usage, "cached_input_tokens") == number_of(cache, "expected_tokens"));
      }
    } else if (type == "item.completed" && text_of(member(event, "item"), "type") == "tool_call") {
      ++calls;
      CHECK_MESSAGE(truth_of(member(event, "item"), "valid", false), to_line(event));
    }
  }
  CHECK((turns == 10 || is_stuck(journal) || result.exit_code == 9));
  CHECK(calls > 0);
  MESSAGE(calls, " calls reached a tool, all of them valid");
}

TEST_CASE(
    "llama: a build sends the output of `grammar tools`, except for the prefix that it writes") {
  Session session;
  const ProcessResult built = session.pedrocli(
      {"build", "-issue", "7", "-max-rounds", "1", "-format", "generic", "-debug=grammar"});
  const ProcessResult printed = session.pedrocli({"grammar", "tools", "-phase", "analyze"});
  CAPTURE(built.err);
  CHECK(built.err.find("debug grammar: {\"tool\": \"\nroot ::= \"search") != std::string::npos);
  const std::size_t behind_root = printed.out.find('\n') + 1;
  REQUIRE(behind_root < printed.out.size());
  CHECK(built.err.find(printed.out.substr(behind_root)) != std::string::npos);
}

TEST_CASE("llama: doctor finds the server ready") {
  Session session;
  const ProcessResult result = session.pedrocli({"doctor"});
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("ok   grammar    obeyed") != std::string::npos);
  CHECK(result.out.find("ok   format     hermes (the server's chat template writes the same)") !=
        std::string::npos);
  CHECK(result.out.find("ok   cache") != std::string::npos);
  CHECK(result.out.find("ok   tokenizer  the model's file ") != std::string::npos);
  CHECK(result.out.find("ok   tokens     the server has the same ids for the texts of all 15") !=
        std::string::npos);
}

TEST_CASE("llama: rounds by way of messages end in a documented state, and doctor knows them") {
  for (const char* backend : {"openai", "anthropic"}) {
    CAPTURE(backend);
    Session session;
    session.environment = {{"PEDROCLI_MODEL_MAX_TOKENS", "48"}};
    const ProcessResult result =
        session.pedrocli({"build", "-issue", "7", "-max-rounds", "4", "-backend", backend});
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK((result.exit_code == 5 || result.exit_code == 6 || result.exit_code == 9));
    int turns = 0;
    long long prompt_tokens = 0;
    const std::vector<Json> journal = session.journal();
    for (const Json& event : journal) {
      if (text_of(event, "type") == "thread.started") CHECK(text_of(event, "backend") == backend);
      if (text_of(event, "type") != "turn.completed") continue;
      const Json& usage = member(event, "usage");
      CHECK(number_of(usage, "output_tokens") <= 48);
      const long long input = number_of(usage, "input_tokens");
      // A reply of this server that begins inside a character has no message_start, thus no counts.
      if (++turns > 1 && number_of(usage, "estimated_input_tokens") == 0) {
        CHECK(input > 0);
        CHECK(number_of(usage, "cached_input_tokens") >= prompt_tokens * 9 / 10);
      }
      prompt_tokens = std::max(prompt_tokens, input);
    }
    CHECK((turns == 4 || is_stuck(journal)));

    const ProcessResult doctor = session.pedrocli({"doctor", "-backend", backend});
    CAPTURE(doctor.out);
    CHECK(doctor.exit_code == 0);
    CHECK(doctor.out.find(fmt::format("({}), model model.gguf\n", backend)) != std::string::npos);
    CHECK(doctor.out.find("ok   context    32768 tokens: the server's /props\n") !=
          std::string::npos);
    CHECK(doctor.out.find("ok   tools      ") != std::string::npos);
    CHECK(doctor.out.find(" tokens of a prompt were reused\n") != std::string::npos);
  }
}

// The server still caches the last process's prompt. So the cached token count reveals a prompt
// that differs by one token. Returns false if the job was stuck before or after the resumption.
static bool go_on_in_the_same_tokens(const std::string& backend) {
  Session session;
  session.environment = {{"PEDROCLI_MODEL_MAX_TOKENS", "48"}};
  const ProcessResult first =
      session.pedrocli({"build", "-issue", "7", "-max-rounds", "3", "-backend", backend});
  CAPTURE(first.err);
  if (is_stuck(session.journal())) return false;
  CHECK(first.exit_code == 6);
  const ProcessResult more = session.pedrocli({"resume", "-max-rounds", "6"});
  CAPTURE(more.err);
  // A prompt's last token may be evaluated again. If the server renders the prompt, its last
  // newline merges with a newline at the start of the reply. In stages, up to three tokens at a
  // boundary of forced and free text are evaluated again. They count as input again.
  const long long again = backend == "openai" ? 2 : 4;
  const std::vector<Json> journal = session.journal();
  int turns = 0;
  long long before = 0;  // tokens of the last prompt
  bool resumed = false;
  for (const Json& event : journal) {
    if (event.contains("resumed_after")) {
      CHECK(number_of(event, "resumed_after") == turns);
      resumed = true;
    }
    if (text_of(event, "type") != "turn.completed") continue;
    const Json& usage = member(event, "usage");
    CAPTURE(to_line(event));
    if (++turns > 1) CHECK(number_of(usage, "cached_input_tokens") >= before - again);
    before = number_of(usage, "input_tokens");
  }
  CHECK(resumed);
  constexpr int kBlocked = 9;  // noise may report that, too
  if (is_stuck(journal) || more.exit_code == kBlocked) return false;
  CHECK(more.exit_code == 6);
  CHECK(turns == 6);
  return true;
}

TEST_CASE("llama: a resumed job sends the same tokens") {
  for (const std::string backend : {"llamacpp", "openai"}) {
    CAPTURE(backend);
    bool seen = false;
    for (int i = 0; i < kTries && !seen; ++i) seen = go_on_in_the_same_tokens(backend);
    CHECK(seen);
  }
}

TEST_CASE("llama: a wrong model address is exit 4 with the next step") {
  Session session;
  Command command{
      .argv = {PEDROCLI_PROGRAM, "build", "-issue", "7", "-model-url", "http://127.0.0.1:1"},
      .folder = session.folder.at("project")};
  command.environment = {{"HOME", session.folder.path()},
                         {"XDG_STATE_HOME", session.folder.at("state")}};
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  CHECK(result->exit_code == 4);
  CHECK(result->err.find("http://127.0.0.1:1/health: connection refused; is the server running?") !=
        std::string::npos);
}

}  // namespace pedro
