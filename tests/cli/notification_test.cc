#include <doctest/doctest.h>

#include "progress.h"

namespace pedro {
namespace {

struct NotificationBench {
  NotificationBench() {
    processes.answer = [this](const Command& command) {
      texts.push_back(command.environment.at("PEDROCLI_NOTIFICATION"));
      return result;
    };
  }
  NotificationBench(const NotificationBench&) = delete;
  NotificationBench& operator=(const NotificationBench&) = delete;
  ~NotificationBench() { std::fclose(out); }

  std::string send(std::string_view text, double after_s) {
    return Notification(environment, processes, settings, out).send(text, after_s);
  }
  std::string written() {
    std::rewind(out);
    std::string text;
    for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) text += static_cast<char>(c);
    return text;
  }

  Environment environment;
  FakeProcessRunner processes;
  Result<ProcessResult> result = ProcessResult{};
  NotifySettings settings{"bell", "notify-send pedrocli \"$PEDROCLI_NOTIFICATION\""};
  std::vector<std::string> texts;
  std::FILE* out = std::tmpfile();
};

}  // namespace

TEST_CASE("notification: a terminal's sequence cannot be left by the text") {
  const std::string text = "a;b\x1b]0;title\a\nc";
  CHECK(notification_sequence("bell", text) == "\a");
  CHECK(notification_sequence("off", text).empty());
  for (const char* kind : {"osc9", "osc777"}) {
    const std::string sequence = notification_sequence(kind, text);
    CHECK(sequence.starts_with("\x1b]"));
    CHECK(sequence.ends_with("\x1b\\"));
    CHECK(sequence.find('\x1b', 1) == sequence.size() - 2);
    CHECK(sequence.find_first_of("\a\n") == std::string::npos);
  }
  CHECK(notification_sequence("osc777", "x;y") == "\x1b]777;notify;pedrocli;x,y\x1b\\");
  CHECK(notification_sequence("osc9", std::string(1000, 'x')).size() < 210);
}

TEST_CASE("notification: a user who waited is notified, and one who watches is not") {
  NotificationBench bench;
  CHECK(bench.send("early", Notification::kQuietSeconds - 1).empty());
  CHECK(bench.texts.empty());
  CHECK(bench.send("late", Notification::kQuietSeconds).empty());
  CHECK(bench.texts == std::vector<std::string>{"late"});
  CHECK(bench.written() == "\a");
}

TEST_CASE("notification: none in CI") {
  for (const auto& [ci, count] : {std::pair("true", 0), std::pair("1", 0), std::pair("false", 1)}) {
    NotificationBench bench;
    bench.environment.variables["CI"] = ci;
    CHECK(bench.send("x", 100).empty());
    CHECK(bench.texts.size() == static_cast<std::size_t>(count));
  }
}

TEST_CASE("notification: a failure of the user's command is reported") {
  NotificationBench bench;
  bench.result = ProcessResult{.exit_code = 3};
  CHECK(bench.send("x", 100) == "exit 3");
  bench.result = ProcessResult{.timed_out = true};
  CHECK(bench.send("x", 100) == "did not end in 10 s");
  bench.result = Error{ErrorKind::kUsage, "sh: not found in PATH"};
  CHECK(bench.send("x", 100) == "sh: not found in PATH");
}

}  // namespace pedro
