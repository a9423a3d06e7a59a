#include "job/answer_log.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro {
namespace {

constexpr const char* kPath = "/job/answers.log";

struct Folder : FakeFileSystem {
  Folder() { REQUIRE(make_folders("/job", 0700).ok()); }
};

struct Desk {
  Folder files;
  AnswerLog log = *AnswerLog::create(files, "/job", {{"task", "mend"}});

  // Records a round with a reply and a tool's answer.
  void play(AnswerLog& to, int round) {
    CHECK(to.add(Question::kReply, {{"text", fmt_round(round)}}).ok());
    CHECK(to.add(Question::kTool, {{"ok", true}}).ok());
    CHECK(to.end_round({{"rounds", round}}).ok());
  }
  static std::string fmt_round(int round) { return "reply " + std::to_string(round); }

  std::string& text() { return files.files[kPath]; }
  Result<AnswerLog> reopened() { return AnswerLog::reopen(files, "/job"); }
};

std::string message_of(const Status& status) {
  return status ? "" : status.error().message;
}

// Reads all recorded answers, and lists them in short form.
std::string ahead_of(AnswerLog& log) {
  std::string all;
  for (const int round : {1, 2, 3}) {
    const auto reply = log.next(Question::kReply);
    if (!reply || !*reply) break;
    all += text_of(**reply, "text") + "; ";
    const auto tool = log.next(Question::kTool);
    if (!tool || !*tool) break;
    all += "tool; ";
    if (!log.catching_up()) break;
    CHECK(log.end_round({{"rounds", 100 + round}}).ok());
    all += "round; ";
  }
  return all;
}

}  // namespace

TEST_CASE("answers: a job that was stopped gets those of its whole rounds again, and goes on") {
  Desk desk;
  desk.play(desk.log, 1);
  desk.play(desk.log, 2);
  auto log = desk.reopened();
  REQUIRE(log.ok());
  CHECK(text_of(log->start(), "task") == "mend");
  CHECK(number_of(log->last_round(), "rounds") == 2);
  CHECK(log->catching_up());
  CHECK(ahead_of(*log) == "reply 1; tool; round; reply 2; tool; round; ");
  CHECK_FALSE(log->catching_up());
  CHECK_FALSE((*log->next(Question::kReply)).has_value());
  CHECK(number_of(log->last_round(), "rounds") == 2);  // the recorded value, not the replayed one
  desk.play(*log, 3);
  auto again = desk.reopened();
  REQUIRE(again.ok());
  CHECK(number_of(again->last_round(), "rounds") == 3);
}

TEST_CASE("answers: of an unfinished round, only the model's first reply is kept") {
  struct Case {
    std::vector<Question> behind;
    std::string kept;
  };
  const std::vector<Case> cases = {
      {{}, ""},
      {{Question::kFileState, Question::kAside, Question::kReply}, "file state,aside,reply"},
      {{Question::kReply, Question::kTool}, "reply"},
      {{Question::kTree, Question::kCheck, Question::kReply}, ""},
  };
  for (const Case& one : cases) {
    CAPTURE(one.kept);
    Desk desk;
    desk.play(desk.log, 1);
    for (const Question question : one.behind) CHECK(desk.log.add(question, {{"x", 1}}).ok());
    REQUIRE(desk.reopened().ok());
    std::vector<std::string> types;
    const std::vector<std::string_view> lines = split_lines(desk.text());
    for (std::size_t i = 4; i < lines.size(); ++i) {
      types.push_back(text_of(*parse_json(lines[i].substr(17)), "type"));
    }
    CHECK(join(types, ",") == one.kept);
  }
}

TEST_CASE("answers: a torn or changed line does not count, nor does any line after it") {
  Desk desk;
  desk.play(desk.log, 1);
  const std::size_t first_round = desk.text().size();
  desk.play(desk.log, 2);
  const std::string whole = desk.text();
  for (std::size_t cut = first_round; cut < whole.size(); ++cut) {
    desk.text() = whole.substr(0, cut);
    auto log = desk.reopened();
    REQUIRE(log.ok());
    CHECK(number_of(log->last_round(), "rounds") == 1);
    // Answers that are written after the cut are read again.
    while (*log->next(Question::kReply)) {
      if (!log->catching_up()) break;
      CHECK(log->next(Question::kTool).ok());
      CHECK(log->end_round({}).ok());
    }
    CHECK(log->end_round({{"rounds", 9}}).ok());
    CHECK(number_of(desk.reopened()->last_round(), "rounds") == 9);
  }
  for (std::size_t at = first_round; at < whole.size(); ++at) {
    desk.text() = whole;
    desk.text()[at] = static_cast<char>(desk.text()[at] ^ 1);
    auto log = desk.reopened();
    REQUIRE(log.ok());
    CHECK(number_of(log->last_round(), "rounds") == 1);
  }
  // A missing line breaks the chain.
  desk.text() = whole;
  desk.text().erase(first_round, whole.find('\n', first_round) + 1 - first_round);
  CHECK(number_of(desk.reopened()->last_round(), "rounds") == 1);
}

TEST_CASE("answers: how many rounds are lost with a line that is not as it was is said") {
  Desk desk;
  for (const int round : {1, 2, 3}) desk.play(desk.log, round);
  const std::string whole = desk.text();
  CHECK(desk.reopened()->loss().empty());
  const std::size_t second = whole.find("reply 2");
  REQUIRE(second != std::string::npos);
  desk.text()[second] = 'R';
  CHECK(desk.reopened()->loss() ==
        "/job/answers.log:5: is damaged; 2 rounds from there on are lost");
  // An unterminated last line is not a loss.
  desk.text() = whole.substr(0, whole.size() - 1);
  CHECK(desk.reopened()->loss().empty());
}

TEST_CASE("answers: a round with lost files cannot be resumed, unless a later one can") {
  Desk desk;
  desk.play(desk.log, 1);
  CHECK(desk.log.add(Question::kReply, {{"text", "reply 2"}}).ok());
  CHECK(desk.log.add(Question::kTool, {{"ok", true}}).ok());
  CHECK(desk.log.end_round({{"rounds", 2}}, RoundFiles::kLost).ok());
  CHECK(number_of(desk.log.last_round(), "rounds") == 2);
  const std::string with_two = desk.text();
  {
    auto log = desk.reopened();
    REQUIRE(log.ok());
    CHECK(number_of(log->last_round(), "rounds") == 1);
    CHECK(log->loss() ==
          "the files of the last round could not be kept; the job resumes before that");
    CHECK(ahead_of(*log) == "reply 1; tool; round; reply 2; ");
  }
  desk.text() = with_two;
  desk.play(desk.log, 3);
  auto log = desk.reopened();
  REQUIRE(log.ok());
  CHECK(number_of(log->last_round(), "rounds") == 3);
  CHECK(log->loss().empty());
  CHECK(ahead_of(*log) == "reply 1; tool; round; reply 2; tool; round; reply 3; tool; round; ");
}

TEST_CASE("answers: a reply that is ahead in a whole round is known of") {
  Desk desk;
  for (const int round : {1, 2}) desk.play(desk.log, round);
  CHECK(desk.log.add(Question::kReply, {{"text", "of no whole round"}}).ok());
  auto log = desk.reopened();
  REQUIRE(log.ok());
  for (const int round : {1, 2}) {
    CHECK(log->has_reply_ahead());
    CHECK(log->next(Question::kReply).ok());
    CHECK(log->has_reply_ahead() == (round == 1));
    CHECK(log->next(Question::kTool).ok());
    CHECK(log->end_round({}).ok());
  }
  CHECK_FALSE(log->catching_up());
}

TEST_CASE("answers: reads the start without the rest, however long it is") {
  struct BeginOnly : FakeFileSystem {
    Result<std::string> read(const std::string& path, std::uint64_t) const override {
      return Error{ErrorKind::kInternal, path + ": all of it was read"};
    }
  };
  for (const std::size_t bytes : {10u, 65'530u, 65'536u, 1'000'000u}) {
    BeginOnly files;
    REQUIRE(files.make_folders("/job", 0700).ok());
    const std::string task(bytes, 'x');
    auto log = AnswerLog::create(files, "/job", {{"task", task}});
    REQUIRE(log.ok());
    CHECK(log->add(Question::kTool, {{"text", std::string(100'000, 'y')}}).ok());
    const auto start = AnswerLog::read_start(files, "/job");
    REQUIRE(start.ok());
    CHECK(text_of(*start, "task") == task);
    files.files[kPath].resize(bytes);  // truncated
    CHECK_FALSE(AnswerLog::read_start(files, "/job").ok());
  }
}

TEST_CASE("answers: a job that takes another way is stopped, and stays stopped") {
  Desk desk;
  desk.play(desk.log, 1);
  auto log = desk.reopened();
  REQUIRE(log.ok());
  const auto answer = log->next(Question::kTool);
  CHECK(message_of(answer ? Status() : Status(answer.error())) ==
        "/job/answers.log: the job differs from its log: it asks for 'tool', the log has 'reply' "
        "next; its prompts or settings have changed since");
  CHECK_FALSE(log->next(Question::kReply).ok());
  CHECK_FALSE(log->add(Question::kReply, {}).ok());
  CHECK_FALSE(log->end_round({}).ok());

  auto ends = desk.reopened();
  CHECK(message_of(ends->end_round({})).find("asks for 'round', the log has 'reply'") !=
        std::string::npos);
}

TEST_CASE("answers: after its last whole round a job may diverge, and the new answers are kept") {
  for (const bool takes_one : {false, true}) {
    CAPTURE(takes_one);
    Desk desk;
    desk.play(desk.log, 1);
    const std::string whole = desk.text();
    CHECK(desk.log.add(Question::kAside, {{"x", 1}}).ok());
    const std::string with_aside = desk.text();
    CHECK(desk.log.add(Question::kReply, {{"x", 2}}).ok());
    auto log = desk.reopened();
    REQUIRE(log.ok());
    CHECK(log->next(Question::kReply).ok());
    CHECK(log->next(Question::kTool).ok());
    CHECK(log->end_round({}).ok());
    CHECK_FALSE(log->catching_up());
    if (takes_one) CHECK((*log->next(Question::kAside)).has_value());
    CHECK_FALSE((*log->next(Question::kTree)).has_value());  // a reply is no longer possible
    CHECK(desk.text() == (takes_one ? with_aside : whole));
    CHECK_FALSE((*log->next(Question::kReply)).has_value());
    CHECK(log->add(Question::kTree, {{"is", "a"}}).ok());
    CHECK(log->end_round({{"rounds", 7}}).ok());
    CHECK(number_of(desk.reopened()->last_round(), "rounds") == 7);
  }
}

TEST_CASE("answers: an unreadable or unwritable log is an error") {
  FakeFileSystem files;
  const auto message = [&] { return AnswerLog::reopen(files, "/job").error().message; };
  CHECK(message() == "cannot resume: it has no answers.log");
  files.files[kPath] = "0123456789abcdef {}\n";
  CHECK(message() == "/job/answers.log: its beginning is missing; start a new job");
  CHECK(AnswerLog::read_start(files, "/job").error().message == message());

  Desk desk;
  CHECK(text_of(*AnswerLog::read_start(desk.files, "/job"), "task") == "mend");
  desk.files.fail_writes_with = "No space left on device";
  CHECK(message_of(desk.log.add(Question::kReply, {})) ==
        "/job/answers.log: No space left on device");
  desk.files.fail_writes_with.clear();
  CHECK(message_of(desk.log.end_round({})) == "/job/answers.log: No space left on device");
}

TEST_CASE("answers: a full log is an error, and its whole rounds can be read") {
  Folder files;
  const LogLimit limit{.max_bytes = 4000};
  AnswerLog log = *AnswerLog::create(files, "/job", {{"task", "mend"}}, limit);
  const std::string text(400, 'x');
  int rounds = 0;
  for (; !log.is_full(); ++rounds) {
    REQUIRE(log.add(Question::kReply, {{"text", text}}).ok());
    REQUIRE(log.end_round({{"rounds", rounds}}).ok());
  }
  CHECK(rounds == 8);
  CHECK(AnswerLog::reopen(files, "/job", limit)->is_full());

  const Status status = log.add(Question::kTool, {{"text", text + text}});
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kLimit);
  CHECK(status.error().message ==
        "/job/answers.log: would exceed 4000 bytes; the job cannot be resumed after its last whole "
        "round");
  CHECK(message_of(log.end_round({})) == status.error().message);
  CHECK(files.files[kPath].size() <= limit.max_bytes);
  CHECK(AnswerLog::reopen(files, "/job", limit)->catching_up());

  files.files[kPath] += text + text;
  CHECK(AnswerLog::reopen(files, "/job", limit).error().message ==
        "/job/answers.log: Longer than the limit of 4000 bytes");
}

TEST_CASE("answers: a log of nothing knows nothing and takes everything") {
  AnswerLog log;
  CHECK_FALSE(log.catching_up());
  CHECK(log.add(Question::kReply, {{"text", "x"}}).ok());
  CHECK(log.end_round({}).ok());
  CHECK_FALSE((*log.next(Question::kReply)).has_value());
}

}  // namespace pedro
