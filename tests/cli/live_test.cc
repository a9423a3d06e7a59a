// Drives `pedrocli ask -live` through its pipes, as `acp` and `chat` do.
#include <signal.h>

#include "base/text.h"
#include "cli/acp_editor.h"
#include "cli/replies.h"
#include "support/marked_processes.h"

namespace pedro {
namespace {

std::string answered(const std::string& text) {
  return call("phase_complete", {{"answer", text}});
}

// A conversation in one process.
class LiveAsk {
 public:
  LiveAsk(const Program& bench, const std::string& url, const std::vector<std::string>& args) {
    ::signal(SIGPIPE, SIG_IGN);
    std::vector<std::string> argv = {PEDROCLI_PROGRAM, "ask", "-live",    "-backend",     "openai",
                                     "-model-url",     url,   "-workdir", bench.project()};
    argv.insert(argv.end(), args.begin(), args.end());
    auto started = ChildProgram::start(
        argv, [this](StandardStream stream, std::string_view line) { hear(stream, line); },
        bench.environment(), ChildInput::kPipe);
    REQUIRE(started.ok());
    program_ = *std::move(started);
  }
  void say(const std::string& message) { program_->write(to_line({{"message", message}}) + "\n"); }
  // Waits for the end of turn `count`.
  void wait_for(std::size_t count) {
    for (int i = 0; i < 300 && answers.size() < count && !program_->exit_code(); ++i) wait();
    CAPTURE(errors);
    REQUIRE(answers.size() == count);
  }
  int wait_for_exit() {
    for (int i = 0; i < 300 && !program_->exit_code(); ++i) wait();
    REQUIRE(program_->exit_code());
    return *program_->exit_code();
  }
  void signal(int number) { program_->signal(number); }

  std::string job;
  std::vector<std::string> answers;
  std::string errors;

 private:
  void wait() { ChildProgram::wait({program_.get()}, 100); }
  void hear(StandardStream stream, std::string_view line) {
    if (stream == StandardStream::kError) {
      errors.append(line) += "\n";
      return;
    }
    const Json event = *parse_json(line);
    const std::string type = text_of(event, "type");
    if (type == "thread.started") job = text_of(event, "thread_id");
    if (type == "thread.completed") answers.push_back(text_of(member(event, "result"), "answer"));
  }

  std::unique_ptr<ChildProgram> program_;
};

struct Talk : Program {
  Talk() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }
  ScriptedModel model;
};

}  // namespace

TEST_CASE("live: one process answers the messages, and another one can continue") {
  Talk bench;
  bench.model.add({answered("Six."), answered("Yes."), answered("No."), answered("Maybe.")});
  LiveAsk ask(bench, bench.model.url(), {"Who rides free?"});
  ask.wait_for(1);
  ask.say("Also on Sundays?");
  ask.wait_for(2);
  ask.say("In July?");
  ask.wait_for(3);
  CHECK(ask.answers == std::vector<std::string>{"Six.", "Yes.", "No."});
  const std::string journal =
      bench.folder.read("state/pedrocli/jobs/" + ask.job + "/journal.jsonl");
  CHECK(journal.find("the user says: In July?") != std::string::npos);
  const std::vector<std::string> bodies = bench.model.bodies();
  const Json before = (*parse_json(bodies[bodies.size() - 2]))["messages"];
  const Json after = (*parse_json(bodies.back()))["messages"];
  REQUIRE(after.size() > before.size());
  CHECK(Json(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(before.size())) == before);

  const ProcessResult other = bench.run(
      {"ask", "-after", ask.job, "In May?", "-backend", "openai", "-model-url", bench.model.url()});
  CHECK(other.exit_code == 0);
  CHECK(other.out == "Maybe.\n");
  const std::string body = bench.model.bodies().back();
  for (const char* text : {"Who rides free?", "Six.", "Also on Sundays?", "Yes.", "In July?"}) {
    CAPTURE(text);
    CHECK(body.find(text) != std::string::npos);
  }

  ask.say("Now?");
  CHECK(ask.wait_for_exit() == 2);
  CHECK(ask.errors.find(ask.job + ": another process has continued it") != std::string::npos);
  const std::string listed = bench.run({"list"}).out;
  CHECK(split_lines(listed).size() == 1);
}

TEST_CASE(
    "live: a question that waits ends with its input, or at a signal, as a job that is done") {
  for (const bool is_signalled : {false, true}) {
    CAPTURE(is_signalled);
    Talk bench;
    bench.model.add({answered("Six.")});
    int code = -1;
    {
      LiveAsk ask(bench, bench.model.url(), {"Who rides free?"});
      ask.wait_for(1);
      if (is_signalled) {
        ask.signal(SIGTERM);
        code = ask.wait_for_exit();
      }
    }
    if (is_signalled) CHECK(code == 0);
    const std::string listed = bench.run({"list"}).out;
    CHECK(listed.find("  done ") != std::string::npos);
    CHECK(of_marked_processes("HOME=" + bench.folder.path(), "cmdline").empty());
  }
}

TEST_CASE("live: a server with another model does not get the conversation") {
  Talk bench;
  bench.model.add({answered("Six.")});
  LiveAsk ask(bench, bench.model.url(), {"Who rides free?"});
  ask.wait_for(1);
  const std::size_t asked = bench.model.bodies().size();
  bench.model.rename("n");
  ask.say("Also on Sundays?");
  CHECK(ask.wait_for_exit() == 2);
  CHECK(ask.errors.find("the server has another model now") != std::string::npos);
  CHECK(bench.model.bodies().size() == asked);
}

TEST_CASE("live: an editor's question survives the end of the process that waits for it") {
  Talk bench;
  AcpSchema schema;
  AcpEditor editor(bench, bench.model.url(), schema);
  const std::string session = editor.open(bench.project());
  bench.model.add({answered("Six."), answered("Yes."), answered("No.")});
  editor.prompt(session, "Who rides free?");
  editor.prompt(session, "Also on Sundays?");
  std::vector<int> killed;
  for (const std::string& line : of_marked_processes("HOME=" + bench.folder.path(), "stat")) {
    killed.push_back(std::stoi(line));
  }
  REQUIRE(killed.size() == 2);
  ::kill(std::max(killed[0], killed[1]), SIGKILL);  // acp has the lower number
  editor.prompt(session, "In July?");
  CHECK(editor.said() == "Six.Yes.No.");
  CHECK(bench.model.bodies().back().find("Who rides free?") != std::string::npos);
  const std::string listed = bench.run({"list"}).out;
  CHECK(split_lines(listed).size() == 1);
}

}  // namespace pedro
