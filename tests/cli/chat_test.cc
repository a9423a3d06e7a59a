// Talks to `pedrocli chat`, through a pipe and on a real pseudo-terminal, with a scripted model.
#include "base/text.h"
#include "cli/acp_editor.h"
#include "cli/replies.h"
#include "cli/tmux_screen.h"

namespace pedro {
namespace {

std::string answered(const std::string& text) {
  return call("phase_complete", {{"answer", text}});
}

struct ChatBench : Program {
  ChatBench() {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/Makefile", "test:\n\tgrep -q good a.txt\n");
    commit_project();
    extra_environment["PEDROCLI_MODEL_TRIES"] = "0";
  }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> argv = {"chat", "-backend", "openai", "-model-url", model.url()};
    argv.insert(argv.end(), more.begin(), more.end());
    return argv;
  }
  ProcessResult talk(const std::string& lines, const std::vector<std::string>& more = {}) {
    return run(command(more), lines);
  }
  TmuxScreen screen(int columns, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> argv = command(more);
    argv.insert(argv.begin(), PEDROCLI_PROGRAM);
    std::map<std::string, std::string> all = environment();
    all.insert(extra_environment.begin(), extra_environment.end());
    return TmuxScreen(argv, project(), all, columns);
  }

  ScriptedModel model;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("chat: messages through a pipe are answered, and the session continues later") {
  ChatBench bench;
  bench.model.add({answered("Children under six."), answered("Since 1990.")});
  const ProcessResult first = bench.talk("Who rides free?\nSince when?\n");
  CAPTURE(first.out);
  CAPTURE(first.err);
  CHECK(first.exit_code == 0);
  const std::size_t one = first.out.find("Children under six.");
  CHECK(one != std::string::npos);
  CHECK(first.out.find("Since 1990.", one) != std::string::npos);
  CHECK(has(first.out, "continue with: pedrocli chat -session "));

  bench.model.add({answered("Still.")});
  const ProcessResult later = bench.talk("And now?\n", {"-continue"});
  CAPTURE(later.out);
  CHECK(later.exit_code == 0);
  std::size_t at = 0;
  for (const char* part : {"> Who rides free?\n", "\nChildren under six.\n", "\n> Since when?\n",
                           "\nSince 1990.\n", "\nStill.\n"}) {
    CAPTURE(part);
    at = later.out.find(part, at);
    REQUIRE(at != std::string::npos);
  }
  CHECK_FALSE(has(later.out, "the user says"));
  // One conversation: the last request has all messages.
  const std::string last = bench.model.bodies().back();
  CHECK(has(last, "Who rides free?"));
  CHECK(has(last, "Since when?"));
}

TEST_CASE("chat: valid and unknown commands") {
  ChatBench bench;
  bench.folder.write("project/a.txt", "changed\n");
  const ProcessResult result = bench.talk(
      "/help\n/foo\n/mode fast\n/diff\n/plan\n/context\n/stop\n/tell x\n"
      "/budget many\n/budget 7\n/budget\n/quit\nnot read\n");
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  for (const char* part :
       {"/budget ROUNDS", "/undo", "no command /foo", "modeId: expected", "-bad", "+changed",
        "no message was answered yet", "/stop: nothing is paused", "/tell: nothing is running",
        "/budget: expected a number of rounds", "7 rounds per message"}) {
    CAPTURE(part);
    CHECK(has(result.out, part));
  }
  CHECK(bench.model.bodies().empty());
  CHECK(bench.talk("", {"-session", "20200101-000000-000-0000"}).exit_code != 0);
  const ProcessResult none = bench.talk("", {"-continue"});
  CHECK(none.exit_code == 2);
  CHECK(has(none.err, "-continue: no session in "));
}

TEST_CASE("chat: a picture reaches the model with the next message, once") {
  ChatBench bench;
  bench.model.see();
  bench.folder.write("project/shot.png", std::string("\x89PNG\r\n\x1a\n", 8) + "pixels");
  bench.model.add({answered("Red."), answered("Blue.")});
  const ProcessResult result =
      bench.talk("/image none.png\n/image a.txt\n/image shot.png\nWhich colour?\nAnd before?\n");
  CAPTURE(result.out);
  CHECK(has(result.out, "/image: "));
  CHECK(has(result.out, "not an image: expected a PNG"));
  CHECK(has(result.out, "pictures of the next message: 1"));
  CHECK(has(result.out, "Red."));
  const std::string last = bench.model.bodies().back();  // the conversation
  const std::size_t part = last.find("data:image/png;base64,");
  CHECK(part < last.find("And before?"));
  CHECK(last.find("data:image/png;base64,", part + 1) == std::string::npos);
}

TEST_CASE("chat: a prompt of an MCP server is the next message") {
  ChatBench bench;
  const std::string program = SCRIPTED_SERVER;
  const Json server = {
      {"command", program}, {"args", {"resources"}}, {"read", {folder_name(program)}}};
  bench.folder.write(".pedrocli.json", to_line({{"mcpServers", {{"x", server}}}}));
  bench.model.add({answered("Rain.")});
  const ProcessResult result =
      bench.talk("/prompt\n/prompt x\n/prompt x weather\n/prompt x weather {\"city\": \"Ulm\"}\n");
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(has(result.out, "weather (city, unit?)"));
  CHECK(has(result.out, "city is missing (error -32602)"));
  CHECK(has(result.out, "Rain."));
  REQUIRE(bench.model.bodies().size() == 1);
  CHECK(has(bench.model.bodies()[0], "Ulm"));
}

TEST_CASE("chat: a build shows calls and changes; /undo restores the files") {
  ChatBench bench;
  bench.model.add({kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
  const ProcessResult result = bench.talk("/build Say good\n/diff\n/undo\n/diff\n");
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  for (const char* part :
       {"ok file ", "    1 - bad", "    1 + good", "# Say good", "+good", "no changes"}) {
    CAPTURE(part);
    CHECK(has(result.out, part));
  }
  CHECK(bench.folder.read("project/a.txt") == "bad\n");
}

TEST_CASE("chat: a plan is shown, and /resume carries it out") {
  ChatBench bench;
  bench.model.add({kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
  const ProcessResult result = bench.talk("/mode plan\nSay good\n/plan\n/resume\n");
  CAPTURE(result.out);
  CAPTURE(result.err);
  const std::size_t planned = result.out.find("/plan shows the plan, /resume carries it out");
  CHECK(planned != std::string::npos);
  CHECK(result.out.find("say good", planned) != std::string::npos);
  CHECK(bench.folder.read("project/a.txt") == "good\n");
}

TEST_CASE("chat: on a terminal, with completion, history and wide characters") {
  if (!TmuxScreen::is_available()) {
    MESSAGE("skipped: tmux is not installed");
    return;
  }
  for (const int columns : {80, 40}) {
    ChatBench bench;
    CAPTURE(columns);
    TmuxScreen screen = bench.screen(columns);
    screen.wait_for("ask>");
    bench.model.add(
        {call("file", {{"action", "read"}, {"path", "a.txt"}}), answered("六歳未満。")});
    screen.enter("子供の料金は？");
    screen.wait_for("六歳未満。");
    screen.wait_for("ok file read");
    CHECK(has(screen.text(), "ask> 子供の料金は？"));
    screen.wait_for("ask 2%>");
    bench.model.add({answered("Again.")});
    screen.press("Up");
    screen.press("Enter");
    screen.wait_for("Again.\nask 2%>");
    CHECK(has(bench.model.bodies().back(), "子供の料金は？"));
    screen.type("/he");
    screen.press("Tab");
    screen.press("Enter");
    screen.wait_for("/budget ROUNDS");
    screen.type("see Mak");
    screen.press("Tab");
    screen.wait_for("> see Makefile");
    screen.press("C-c");
    screen.type("/quit");
    screen.press("Enter");
    CHECK(screen.has_ended());
  }
}

TEST_CASE("chat: input during the work is queued, and Ctrl-C pauses it") {
  if (!TmuxScreen::is_available()) {
    MESSAGE("skipped: tmux is not installed");
    return;
  }
  ChatBench bench;
  TmuxScreen screen = bench.screen(80);
  screen.wait_for("ask>");
  const std::string wait = "touch started; until [ -e go ]; do sleep 0.02; done; rm -f go started";
  bench.model.add({kAnalyzed, kPlanned, call("bash", {{"action", "run"}, {"command", wait}}), kEdit,
                   kDone, kDelivered, answered("Yes, good.")});
  screen.enter("/build Say good");
  screen.wait_for("[3/");
  screen.enter("Is it good now?");
  screen.wait_for("queued: Is it good now?");
  screen.enter("/tell mind the tests");
  screen.wait_for("reads the message before its next round");
  bench.folder.write("project/go", "");
  screen.wait_for("Yes, good.\nask 2%>");
  bool is_told = false;
  for (const std::string& body : bench.model.bodies()) is_told |= has(body, "mind the tests");
  CHECK(is_told);

  bench.model.add({"stall"});
  screen.enter("Wait for me");
  const std::size_t asked = bench.model.bodies().size();
  for (int i = 0; i < 200 && bench.model.bodies().size() == asked; ++i) ::usleep(50'000);
  screen.press("C-c");
  screen.wait_for("paused; type a message to steer");
  bench.model.add({answered("Short.")});
  screen.enter("be short");
  screen.wait_for("Short.\nask 2%>");
  CHECK(has(bench.model.bodies().back(), "be short"));
  screen.press("C-d");
  CHECK(screen.has_ended());
}

TEST_CASE("chat: a question of the policy is answered on the terminal, and refused without one") {
  ChatBench bench;
  bench.folder.write("project/.pedrocli.json", R"({"policy":{"permissions":{"execute":"ask"}}})");
  const std::string touch = call("bash", {{"action", "run"}, {"command", "echo ran > b.txt"}});
  bench.model.add({kAnalyzed, kPlanned, touch, kEdit, kDone, kDelivered});
  const ProcessResult piped = bench.talk("/build Say good\n/undo\n");
  CAPTURE(piped.out);
  CHECK(has(piped.out, "refused: there is no terminal to ask on"));
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/b.txt")));
  if (!TmuxScreen::is_available()) return;
  TmuxScreen screen = bench.screen(80);
  screen.wait_for("ask>");
  bench.model.add({kAnalyzed, kPlanned, touch, kEdit, kDone, kDelivered});
  screen.enter("/build Say good");
  screen.wait_for("allow it? yes, always or no>");
  screen.enter("yes");
  screen.wait_for("# Say good");
  CHECK(bench.folder.read("project/b.txt") == "ran\n");
}

}  // namespace pedro
