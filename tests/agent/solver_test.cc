#include "agent/solver.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "agent/repository_bench.h"
#include "agent/silent_observer.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/registry.h"
#include "tools/text_file.h"

using namespace pedro;

namespace {

// A model that answers prompts with a function.
struct AnsweringModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest& request) override {
    prompts.push_back(text_of(request.chat.messages.back()));
    temperatures.push_back(request.temperature);
    grammars.emplace_back(request.text_grammar);
    seeds.push_back(request.seed);
    Reply reply;
    reply.text = answer ? answer(prompts.back()) : "";
    reply.usage.generated_tokens = 7;
    return reply;
  }
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override {
    announced.emplace_back();
    for (const GenerateRequest& request : requests) announced.back().push_back(request.seed);
    return std::min(width, requests.size());
  }
  void begin_anew() override { ++conversations; }

  std::size_t width = 1;

  std::function<std::string(const std::string& prompt)> answer;
  std::vector<std::string> prompts;
  std::vector<double> temperatures;
  std::vector<std::string> grammars;
  std::vector<std::optional<std::uint32_t>> seeds;
  std::vector<std::vector<std::optional<std::uint32_t>>> announced;  // seeds of together()
  int conversations = 0;
};

struct HookedObserver : SilentObserver {
  Status on_check_started(const Check& check) override {
    if (on_check) on_check();
    return SilentObserver::on_check_started(check);
  }
  std::function<void()> on_check;
};

// A repository whose check needs "two" in the second line of b.txt, which contains "one".
struct SolverBench : RepositoryBench {
  SolverBench() {
    folder.put("b.txt", "first\none\nlast\n");
    folder.commit_all("second");
    tree = *WorkTree::open(files, folder.tree());
    phase.name = "solve";
    phase.max_rounds = 100;
  }

  std::string check = "sed -n 2p b.txt | grep -qx two";
  std::string issue = "The second line of b.txt is wrong.";
  std::vector<TaskFile> others;

  Result<PhaseOutcome> solve(std::vector<AnswerForm> forms, int tries, bool grounding = true) {
    const std::vector<Check> checks = {{"test", check, "a test"}};
    ToolContext tools{*tree, processes, processes, notes, environment, cancel};
    const ExecutorParts parts{model,    info,  registry, tools,  feedback,
                              observer, trace, job,      answers};
    Executor executor(parts, {});
    CheckedTree checked(*repository, *tree, *runner, checks, *repository->commit_id(), 900, job,
                        nullptr, observer, answers);
    SolveSettings settings;
    settings.tries = tries;
    settings.forms = std::move(forms);
    settings.file_tokens = 100'000;
    settings.grounding = grounding;
    std::vector<TaskFile> all = {target(), {"test_b.txt", "x\n", true, 9}};
    all.insert(all.end(), others.begin(), others.end());
    Solver solver(executor, parts, checked, settings, all, {issue, ""});
    return solver.run(phase, [](const std::map<std::string, std::string>& values) {
      return Result<std::string>(values.at("files") + "\n" + values.at("failures") + "\n" +
                                 values.at("answer"));
    });
  }
  TaskFile target() {
    const std::string bytes = now();
    const std::string text(without_byte_order_mark(bytes));
    return {"b.txt", replace_all(text, "\r\n", "\n"), false, 1, text.find('\r') != text.npos};
  }
  std::string now() { return *files.read(folder.tree() + "/b.txt", 1 << 20); }

  ProcessRunner* runner = &processes;  // of the checks
  AnsweringModel model;
  ModelInfo info;
  Registry registry = *Registry::open(files, "");
  Feedback feedback = *Feedback::load(*PromptLibrary::open(files, ""));
  HookedObserver observer;
  Trace trace;
  FakeClock clock;
  CancelToken job{cancel, clock};
  AnswerLog answers;
  Environment environment;
  NoteStore notes{files, folder.path() + "/notes"};
  std::optional<WorkTree> tree;
  Phase phase;
};

std::string edit(const std::string& old_line, const std::string& new_line) {
  return fmt::format("File: b.txt\nReplace:\n```\n{}\n```\nWith:\n```\n{}\n```", old_line,
                     new_line);
}

}  // namespace

TEST_CASE("solver: the first answer that passes stays, and one that fails is taken back") {
  SolverBench bench;
  int asked = 0;
  bench.model.answer = [&](const std::string&) {
    if (asked == 1) CHECK(bench.now() == "first\none\nlast\n");  // the first answer was reverted
    return edit("one", ++asked == 1 ? "three" : "two");
  };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 3);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(outcome->rounds == 2);
  CHECK(
      to_line(outcome->output) ==
      R"({"summary":"The checks pass with this answer. It is answer number 2.","files":["b.txt"],"tries":2})");
  CHECK(bench.now() == "first\ntwo\nlast\n");
  CHECK(bench.model.temperatures == std::vector<double>{0, 0.8});
}

TEST_CASE("solver: an answer with a part of the file's functions keeps the others") {
  SolverBench bench;
  bench.folder.put("b.txt", "f() {\n  echo one\n}\n\ng() {\n  echo last\n}\n");
  bench.folder.commit_all("functions");
  bench.check = ". ./b.txt && test \"$(f)$(g)\" = twolast";
  bench.model.answer = [](const std::string&) { return "b.txt\n```\nf() {\n  echo two\n}\n```\n"; };
  const auto outcome = bench.solve({AnswerForm::kFile}, 1);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(bench.now() == "f() {\n  echo two\n}\n\ng() {\n  echo last\n}\n");
}

TEST_CASE("solver: a function that is missing gets answers with whole functions first") {
  for (const bool is_stub : {true, false}) {
    CAPTURE(is_stub);
    SolverBench bench;
    const std::string body = is_stub ? "  # TODO\n  return\n" : "  echo 1\n  return\n";
    bench.folder.put("b.txt", "f() {\n" + body + "}\n\ng() {\n  echo last\n  return\n}\n");
    bench.folder.commit_all("functions");
    bench.check = ". ./b.txt && test \"$(f)\" = two";
    bench.issue = "Implement f in b.txt; g calls it.";
    const auto outcome = bench.solve(
        {AnswerForm::kEdit, AnswerForm::kMutant, AnswerForm::kFile, AnswerForm::kFunction}, 4);
    REQUIRE(outcome.ok());
    const std::vector<std::string>& prompts = bench.model.prompts;
    const auto begins_edit = [](const std::string& prompt) {
      return prompt.find("Replace:") != prompt.npos;
    };
    if (is_stub) {  // file, function f, edit, file
      REQUIRE(prompts.size() == 4);
      CHECK(prompts[1].find("f() {\n  # TODO\n  return\n}") != std::string::npos);
      CHECK(begins_edit(prompts[2]));
    } else {  // edit, no request for small edits, file, functions f and g
      REQUIRE(prompts.size() == 4);
      CHECK(begins_edit(prompts[0]));
    }
  }
}

TEST_CASE("solver: restores the files if no answer passes") {
  SolverBench bench;
  bench.model.answer = [](const std::string&) { return edit("last", "two"); };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 3);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kRounds);
  CHECK(outcome->ran_out == "tries");
  CHECK(bench.now() == "first\none\nlast\n");
}

TEST_CASE("solver: a prompt has the file and the failure, and no test") {
  SolverBench bench;
  (void)bench.solve({AnswerForm::kFile}, 1);
  REQUIRE(bench.model.prompts.size() == 1);
  const std::string& prompt = bench.model.prompts[0];
  CHECK(prompt.find("b.txt\n```\nfirst\none\nlast\n```") != prompt.npos);
  CHECK(prompt.find("`sed -n 2p b.txt | grep -qx two` fails:") != prompt.npos);
  CHECK(prompt.find("test_b.txt") == prompt.npos);
}

TEST_CASE("solver: the first plain prompt has the files that the issue names, the next one all") {
  SolverBench bench;
  bench.folder.put("c.py", "c = 1\n");
  bench.folder.commit_all("third");
  bench.others = {{"c.py", "c = 1\n", false, 1}};
  for (const char* named : {"b.txt", "c.py", "b.txt and c.py"}) {
    bench.issue = fmt::format("The second line is wrong, see {}.", named);
    bench.model.prompts.clear();
    REQUIRE(bench.solve({AnswerForm::kPlain, AnswerForm::kPlain}, 2).ok());
    REQUIRE(bench.model.prompts.size() == 2);
    for (const char* path : {"b.txt", "c.py"}) {
      const std::string shown = fmt::format("{}\n```", path);
      const bool is_named = bench.issue.find(path) != std::string::npos;
      CHECK((bench.model.prompts[0].find(shown) != std::string::npos) == is_named);
    }
    CHECK(bench.model.prompts[1].find("c.py\n```") != std::string::npos);
  }
}

TEST_CASE("solver: a whole file, a line, and a function's absence") {
  struct Row {
    const char* name;
    AnswerForm form;
    std::string answer;
    PhaseEnd end;
  };
  for (const Row& row :
       {Row{"a whole file", AnswerForm::kFile, "b.txt\n```\nfirst\ntwo\nlast\n```\n",
            PhaseEnd::kCompleted},
        Row{"a file that was not shown", AnswerForm::kFile, "a.txt\n```\nx\n```\n",
            PhaseEnd::kRounds},
        Row{"no block at all", AnswerForm::kFile, "I cannot.", PhaseEnd::kRounds},
        Row{"each line is asked for, and one answer passes", AnswerForm::kLine, "```\ntwo\n```",
            PhaseEnd::kCompleted},
        Row{"there are no functions", AnswerForm::kFunction, "```\ntwo\n```", PhaseEnd::kRounds}}) {
    CAPTURE(row.name);
    SolverBench bench;
    bench.model.answer = [&](const std::string&) { return row.answer; };
    const auto outcome = bench.solve({row.form}, 1);
    REQUIRE(outcome.ok());
    CHECK(outcome->end == row.end);
    const bool solved = row.end == PhaseEnd::kCompleted;
    CHECK(bench.now() == (solved ? "first\ntwo\nlast\n" : "first\none\nlast\n"));
  }
}

TEST_CASE("solver: answers that are generated together are judged in the order of the lines") {
  const auto solve = [](std::size_t width, std::vector<std::string>& judged) {
    SolverBench bench;
    bench.model.width = width;
    bench.model.answer = [](const std::string& prompt) {
      const bool is_second = prompt.find("```\none\n```") != prompt.npos;
      return std::string("```\n") + (is_second ? "two" : "other") + "\n```";
    };
    bench.observer.on_check = [&] { judged.push_back(bench.now()); };
    const auto outcome = bench.solve({AnswerForm::kLine}, 1);
    REQUIRE(outcome.ok());
    CHECK(outcome->end == PhaseEnd::kCompleted);
    CHECK(bench.now() == "first\ntwo\nlast\n");
    return bench.model.prompts.size();
  };
  std::vector<std::string> in_turn;
  std::vector<std::string> together;
  CHECK(solve(1, in_turn) == 2);
  CHECK(solve(3, together) == 3);
  CHECK(in_turn == together);
  CHECK(in_turn.back() == "first\ntwo\nlast\n");
}

TEST_CASE("solver: later answers of one form that follow each other are announced together") {
  using Seeds = std::vector<std::optional<std::uint32_t>>;
  constexpr AnswerForm kEdit = AnswerForm::kEdit;
  SolverBench bench;
  int asked = 0;
  bench.model.answer = [&](const std::string&) { return edit("one", std::to_string(++asked)); };
  (void)bench.solve({kEdit, AnswerForm::kPlain, kEdit, kEdit, AnswerForm::kPlain, kEdit}, 9);
  CHECK(bench.model.seeds == Seeds{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(bench.model.announced == std::vector<Seeds>{{3, 4}, {6, 7}});
}

TEST_CASE("solver: keeps the likeliest small edit that passes, without a request") {
  SolverBench bench;
  bench.folder.put("b.txt", "first\nif n < 10:\nx = n + 1\n");
  bench.folder.commit_all("third");
  bench.check = "grep -qE 'n > 10|n - 1$' b.txt";
  const auto outcome = bench.solve({AnswerForm::kMutant}, 1);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(bench.model.prompts.empty());
  CHECK(bench.now() == "first\nif n > 10:\nx = n + 1\n");
}

TEST_CASE("solver: the same answer is checked once") {
  SolverBench bench;
  bench.model.answer = [](const std::string&) { return edit("one", "three"); };
  (void)bench.solve({AnswerForm::kEdit}, 4);
  std::size_t checked = 0;
  for (std::size_t at = 0; (at = bench.observer.checks.find("grep", at)) != std::string::npos; ++at)
    ++checked;
  CHECK(checked == 2);  // before the work, and for the answer
}

TEST_CASE("solver: without grounding an edit is free text") {
  SolverBench bench;
  bench.model.answer = [](const std::string&) { return "Here it is.\n" + edit("one", "two"); };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 1, false);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(bench.model.grammars == std::vector<std::string>{""});
}

TEST_CASE("solver: a long file gets the plain prompt after all edits, and no other whole answers") {
  SolverBench bench;
  bench.folder.put("b.txt", "first\none\n" + std::string(20'000, 'x') + "\n");
  bench.folder.commit_all("long");
  (void)bench.solve({AnswerForm::kFile, AnswerForm::kPlain, AnswerForm::kEdit}, 6);
  REQUIRE(bench.model.prompts.size() == 3);
  CHECK(bench.model.grammars[0] != "");
  CHECK(bench.model.grammars[1] != "");
  CHECK(bench.model.grammars[2] == "");
  CHECK(bench.model.temperatures == std::vector<double>{0, 0.8, 0});
}

TEST_CASE("solver: a file keeps its line ends") {
  for (const bool passes : {true, false}) {
    CAPTURE(passes);
    SolverBench bench;
    bench.folder.put("b.txt", "first\r\none\r\nlast\r\n");
    bench.folder.commit_all("crlf");
    bench.check = "sed -n 2p b.txt | grep -q two";
    bench.model.answer = [&](const std::string& prompt) {
      CHECK(prompt.find('\r') == prompt.npos);
      return edit("one", passes ? "two\nthree" : "three");
    };
    (void)bench.solve({AnswerForm::kEdit}, 1);
    CHECK(bench.now() ==
          (passes ? "first\r\ntwo\r\nthree\r\nlast\r\n" : "first\r\none\r\nlast\r\n"));
  }
}

TEST_CASE("solver: a file keeps its byte order mark") {
  for (const bool passes : {true, false}) {
    CAPTURE(passes);
    SolverBench bench;
    bench.folder.put("b.txt",
                     "\xEF\xBB\xBF"
                     "one\nlast\n");
    bench.folder.commit_all("mark");
    bench.check = "grep -q two b.txt";
    bench.model.answer = [&](const std::string& prompt) {
      CHECK(prompt.find("\xEF\xBB\xBF") == prompt.npos);
      return edit("one", passes ? "two" : "three");
    };
    (void)bench.solve({AnswerForm::kEdit}, 1);
    CHECK(bench.now() == (passes ? "\xEF\xBB\xBF"
                                   "two\nlast\n"
                                 : "\xEF\xBB\xBF"
                                   "one\nlast\n"));
  }
}

TEST_CASE("solver: a later try starts from the answer that fixes the most") {
  SolverBench bench;
  bench.folder.put("b.txt", "first\none\nlast\n");
  bench.check =
      "grep -qx two b.txt || echo FAIL two; grep -qx end b.txt || echo FAIL end; "
      "grep -qx two b.txt && grep -qx end b.txt";
  bench.model.answer = [&](const std::string&) {
    return bench.model.prompts.size() == 1 ? edit("one", "two") : edit("last", "end");
  };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 2);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(bench.now() == "first\ntwo\nend\n");
  REQUIRE(bench.model.prompts.size() == 2);
  CHECK(bench.model.prompts[1].find("first\ntwo\nlast") != std::string::npos);
  CHECK(bench.model.prompts[1].find("\nFAIL end") != std::string::npos);
  CHECK(bench.model.prompts[1].find("\nFAIL two") == std::string::npos);
}

TEST_CASE("solver: the best of the failed answers is taken back at the end") {
  SolverBench bench;
  bench.check = "grep -qx two b.txt || echo FAIL two; echo FAIL end; false";
  bench.model.answer = [](const std::string&) { return edit("one", "two"); };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 3);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kRounds);
  CHECK(bench.now() == "first\none\nlast\n");
}

TEST_CASE("solver: stops an answer if its check hangs, and tries the next one") {
  SolverBench bench;
  bench.check = "grep -qx forever b.txt && sleep 600; sed -n 2p b.txt | grep -qx two";
  std::size_t asked = 0;
  bench.model.answer = [&](const std::string&) {
    return edit("one", std::vector<std::string>{"a", "b", "c", "forever", "two"}[asked++]);
  };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 5);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(outcome->rounds == 5);
  CHECK(bench.now() == "first\ntwo\nlast\n");
}

TEST_CASE("solver: a stall before the work does not count for the limits of answers") {
  SolverBench bench;
  FakeProcessRunner fake;
  bench.runner = &fake;
  fake.answer = [&](const Command&) {
    return ProcessResult{.exit_code = 1, .timed_out = true, .spin_s = 60, .duration_s = 63};
  };
  bench.model.answer = [](const std::string&) { return edit("one", "three"); };
  REQUIRE(bench.solve({AnswerForm::kEdit}, 1).ok());
  REQUIRE(fake.commands.size() == 2);
  CHECK(fake.commands[1].timeout_s == 30);  // ten times 3 s
}

TEST_CASE("solver: gives up generated edits after a minute if their checks hang") {
  SolverBench bench;
  FakeProcessRunner fake;
  bench.runner = &fake;
  fake.answer = [&](const Command&) {
    return ProcessResult{.exit_code = 1, .timed_out = true, .duration_s = 25};
  };
  bench.folder.put("b.txt", "a = b + c * 1\nd = e - f * 2\ng = h + i * 3\n");
  bench.folder.commit_all("more to change");
  REQUIRE(bench.solve({AnswerForm::kMutant}, 1).ok());
  CHECK(fake.commands.size() == 1 + 3);
}

TEST_CASE("solver: a later try continues with the next generated edits") {
  SolverBench bench;
  FakeProcessRunner fake;
  bench.runner = &fake;
  std::vector<std::string> checked;
  fake.answer = [&](const Command&) {
    checked.push_back(bench.now());
    return ProcessResult{.exit_code = 1, .duration_s = 3};
  };
  bench.folder.put("b.txt", "a = b + c * 1\nd = e - f * 2\ng = h + i * 3\n");
  bench.folder.commit_all("more to change");
  REQUIRE(bench.solve({AnswerForm::kMutant}, 2).ok());
  CHECK(checked.size() == 1 + 10 + 30);  // 30 s, then 90 s
  std::sort(checked.begin(), checked.end());
  CHECK(std::adjacent_find(checked.begin(), checked.end()) == checked.end());
}

TEST_CASE("solver: generated edits get three times the longest check") {
  SolverBench bench;
  FakeProcessRunner fake;
  bench.runner = &fake;
  double duration_s = 0.1;
  fake.answer = [&](const Command&) {
    return ProcessResult{.exit_code = 1, .duration_s = duration_s};
  };
  bench.folder.put("b.txt", "a = b + c * 1\nd = e - f * 2\ng = h + i * 3\n");
  bench.folder.commit_all("more to change");
  REQUIRE(bench.solve({AnswerForm::kMutant}, 1).ok());
  REQUIRE(fake.commands.size() > 5);
  CHECK(fake.commands[1].timeout_s == 5);
  CHECK(fake.commands[4].timeout_s == 2);
  duration_s = 4;
  fake.commands.clear();
  REQUIRE(bench.solve({AnswerForm::kMutant}, 1).ok());
  REQUIRE(fake.commands.size() > 1);
  CHECK(fake.commands[1].timeout_s == 12);
}

TEST_CASE("solver: an answer that is interrupted in its checks is taken back") {
  SolverBench bench;
  bench.model.answer = [](const std::string&) { return edit("one", "two"); };
  std::string seen;
  bench.observer.on_check = [&] {
    seen = bench.now();
    if (seen != "first\none\nlast\n") bench.cancel.cancel(15);
  };
  const auto outcome = bench.solve({AnswerForm::kEdit}, 2);
  REQUIRE(!outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::kInterrupted);
  CHECK(seen == "first\ntwo\nlast\n");
  CHECK(bench.now() == "first\none\nlast\n");
}

TEST_CASE("solver: an answer cannot change a test that exists") {
  SolverBench bench;
  bench.folder.put("test_b.txt", "x\n");
  bench.folder.commit_all("test");
  bench.check = "grep -qx ok test_b.txt";
  bench.model.answer = [](const std::string&) {
    return std::string("test_b.txt\n```\nok\n```\n\nb.txt\n```\nfirst\n1\nlast\n```\n");
  };
  const auto outcome = bench.solve({AnswerForm::kFile}, 2);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kRounds);
  CHECK(*bench.files.read(bench.folder.tree() + "/test_b.txt", 100) == "x\n");
  CHECK(bench.now() == "first\none\nlast\n");
}
