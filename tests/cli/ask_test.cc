// Tests `pedrocli ask` end to end with prepared replies.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

std::string answered(const Json& args) {
  return to_line({{"tool", "phase_complete"}, {"args", args}});
}

struct Ask : Program {
  Ask() {
    folder.write("project/fare.c", "int fare(int age) {\n  return age < 6 ? 0 : 250;\n}\n");
    folder.write("project/main.c", "int main(void) { return 0; }\n");
    commit_project();
    before = all_files();
  }
  ProcessResult ask(const std::string& question, const std::vector<std::string>& replies,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"ask", question, "-backend", "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  std::string last_job() { return text_of(*parse_json(run({"status", "-json"}).out), "id"); }
  std::string schema(const char* text) { return folder.write("schema.json", text); }
  std::map<std::string, std::string> before;
};

}  // namespace

TEST_CASE("ask: the answer alone is on stdout, after one round, and nothing changes") {
  Ask bench;
  const ProcessResult result =
      bench.ask("Who rides free in fare()?", {answered({{"answer", "Children under 6.\n"}})});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Children under 6.\n");
  CHECK(result.err.find("return age < 6 ? 0 : 250;") != std::string::npos);  // in the first prompt
  CHECK(bench.all_files() == bench.before);
}

TEST_CASE("ask: files may be read first; a job at a limit prints nothing on stdout") {
  Ask bench;
  const std::string look = R"({"tool":"file","args":{"action":"read","path":"main.c"}})";
  const ProcessResult result = bench.ask("What is main?", {look, answered({{"answer", "Empty"}})});
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Empty\n");
  const ProcessResult limited = bench.ask("What is main?", {look}, {"-max-rounds", "1"});
  CHECK(limited.exit_code == 6);
  CHECK(limited.out == "");
  CHECK(limited.err.find("Stopped at a limit: ") != std::string::npos);
}

TEST_CASE("ask: with -schema the answer is JSON that fits it; others are refused") {
  Ask bench;
  const std::string object = bench.schema(
      R"({"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]})");
  const ProcessResult result =
      bench.ask("From which age is it not free?",
                {answered({{"age", "six"}}), answered({{"age", 6}})}, {"-schema", object});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(*parse_json(result.out) == Json{{"age", 6}});
  CHECK(result.err.find("/age") != std::string::npos);
}

TEST_CASE("ask: a schema of any type works, with definitions at its root") {
  Ask bench;
  const std::string list = bench.schema(
      R"({"$id":"https://example.com/prices","type":"array","items":{"$ref":"#/$defs/price"},
          "$defs":{"price":{"enum":[0,250]}}})");
  const ProcessResult result = bench.ask(
      "Which prices are there?", {answered({{"answer", {0, 3}}}), answered({{"answer", {0, 250}}})},
      {"-schema", list});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(*parse_json(result.out) == Json({0, 250}));
  const std::string nested = bench.schema(R"({"type":"array","items":{"$ref":"#"}})");
  const ProcessResult deep =
      bench.ask("How deep?", {answered({{"answer", {3}}}), answered({{"answer", {Json::array()}}})},
                {"-schema", nested, "-json"});
  const auto events = split_lines(deep.out);
  REQUIRE(!events.empty());
  CHECK(member(*parse_json(events.back()), "result") == Json::array({Json::array()}));
  const ProcessResult wrong = bench.ask("?", {}, {"-schema", bench.schema("{\n  \"type\": 3}")});
  CHECK(wrong.exit_code == 3);
  CHECK(wrong.err.find("schema.json") != std::string::npos);
}

TEST_CASE("ask: piped input belongs to the question, between marks") {
  Ask bench;
  const ProcessResult result = bench.run({"ask", "Which change needs a test?", "-dry-run"},
                                         "diff --git a/fare.c b/fare.c\n");
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::size_t question = result.out.find("Which change needs a test?");
  const std::size_t begins = result.out.find(" begins]\ndiff --git a/fare.c");
  CHECK(question != std::string::npos);
  CHECK(begins != std::string::npos);
  CHECK(question < begins);
}

TEST_CASE("ask: -after continues a conversation that is done") {
  Ask bench;
  REQUIRE(bench.ask("Who rides free in fare()?", {answered({{"answer", "Children."}})}).exit_code ==
          0);
  const std::string job = bench.last_job();
  const auto follow_up = [&](const std::string& text, const std::vector<std::string>& replies,
                             const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"ask", "-after", job, text, "-backend", "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return bench.run(args, typed(replies));
  };
  // Without a server the job and its messages stay as they are.
  const ProcessResult lost = bench.run(
      {"ask", "-after", job, "Lost?", "-backend", "openai", "-model-url", "http://127.0.0.1:1"});
  CHECK(lost.exit_code == 4);
  // The limits count the rounds of one message.
  const ProcessResult second =
      follow_up("And adults?", {answered({{"answer", "They pay 250."}})}, {"-max-rounds", "1"});
  CAPTURE(second.err);
  CHECK(second.exit_code == 0);
  CHECK(second.out == "They pay 250.\n");
  const std::size_t shown = second.err.find("# The user's next message\n\nAnd adults?");
  CHECK(shown != std::string::npos);
  // The file is in the conversation already.
  CHECK(second.err.find("return age < 6", shown) == std::string::npos);
  CHECK(second.err.find("Lost?") == std::string::npos);

  // A job at a limit continues with resume.
  const std::string look = R"({"tool":"file","args":{"action":"read","path":"main.c"}})";
  const ProcessResult limited = follow_up("What does main.c do?", {look}, {"-max-rounds", "1"});
  CAPTURE(limited.err);
  CHECK(limited.exit_code == 6);
  CHECK(limited.out == "");
  CHECK(follow_up("Hello?", {}).err.find("is not done; continue with `pedrocli resume") !=
        std::string::npos);
  const ProcessResult third =
      bench.run({"resume", "-backend", "manual"}, typed({answered({{"answer", "Nothing."}})}));
  CAPTURE(third.err);
  CHECK(third.exit_code == 0);
  CHECK(third.out == "Nothing.\n");

  std::vector<std::string> answers;
  const std::string journal = bench.run({"logs", "-json"}).out;
  for (const std::string_view line : split_lines(journal)) {
    const auto event = parse_json(line);
    REQUIRE(event.ok());
    const std::string answer = text_of(member(*event, "output"), "answer");
    if (text_of(*event, "type") == "phase.completed" && !answer.empty()) answers.push_back(answer);
  }
  CHECK(answers == std::vector<std::string>{"Children.", "They pay 250.", "Nothing."});
  CHECK(bench.last_job() == job);
  CHECK(bench.all_files() == bench.before);
}

TEST_CASE("ask: -after needs a question to a job of ask that is done, and no other input") {
  Ask bench;
  REQUIRE(bench.ask("Who rides free?", {answered({{"answer", "Children."}})}).exit_code == 0);
  const std::string job = bench.last_job();
  struct Case {
    std::vector<std::string> args;
    const char* error;
  };
  const Case cases[] = {
      {{"ask", "-after", job, " "}, "the message is empty"},
      {{"ask", "-after", job, "Why?", "-schema", "s.json"}, "-schema is fixed when the job starts"},
      {{"ask", "-after", "20200101-000000-000-ask-0000", "Why?"}, "20200101-000000-000-ask-0000"},
      {{"ask", "-after", job}, "question is required"},
      {{"resume", job}, "is done; continue with `pedrocli ask -after"},
  };
  for (const Case& row : cases) {
    std::vector<std::string> args = row.args;
    args.insert(args.end(), {"-backend", "manual"});
    const ProcessResult result = bench.run(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(row.error) != std::string::npos);
  }
}

TEST_CASE("ask: a message that comes during the last round is answered") {
  Ask bench;
  bench.folder.write("replies", typed({answered({{"answer", "Children."}}),
                                       answered({{"answer", "Since 1990."}})}));
  const std::string out =
      bench
          .shell(
              "{ until grep -q 'Finish with' ../err; do sleep 0.02; done\n"
              "  \"$0\" tell \"$(\"$0\" list | cut -d' ' -f1)\" 'Since when?' >../told\n"
              "  cat ../replies; } |\n"
              "\"$0\" ask 'Who rides free?' -backend manual 2>../err; echo $?")
          .out;
  CAPTURE(bench.folder.read("err"));
  CHECK(out == "Since 1990.\n0\n");
  CHECK(bench.run({"logs"}).out.find("the user says: Since when?") != std::string::npos);
}

}  // namespace pedro
