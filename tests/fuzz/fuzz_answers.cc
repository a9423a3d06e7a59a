// Reads any bytes as the answers.log of a stopped job: unchanged, and as lines with correct hashes.
// The accepted part must be a prefix that ends with a complete line. A second read must accept the
// same part. Its answers must be readable in every type.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "agent/answers.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "fuzz/require.h"
#include "job/answer_log.h"

namespace {

using namespace pedro;

constexpr const char* kPath = "/job/answers.log";
constexpr Question kQuestions[] = {Question::kReply,   Question::kAside, Question::kFileState,
                                   Question::kText,    Question::kTree,  Question::kPolicy,
                                   Question::kRefusal, Question::kTool,  Question::kCheck};

std::string with_hashes(std::string_view text) {
  std::string out;
  std::uint64_t hash = kHashSeed;
  for (const std::string_view line : split_lines(text)) {
    hash = hash_bytes(line, hash);
    out += fmt::format("{:016x} {}\n", hash, line);
  }
  return out;
}

// Reads an answer like the current version, with any contents.
void read_answer(const Json& answer, std::string_view file) {
  const Reply reply = reply_from(answer);
  (void)to_json(reply);
  const ToolResult result = tool_result_from(answer);
  (void)to_json(result, kept_from(answer));
  const CheckOutcome outcome = check_outcome_from(answer);
  require(check_outcome_from(to_json(outcome)).exit_code == outcome.exit_code, "another exit",
          file);
  (void)bytes_from(member(answer, "is"));
}

// Replays the log to its end, trying each question at each step.
void take_answers(AnswerLog& log, std::string_view file) {
  for (int i = 0; i < 10'000 && log.catching_up(); ++i) {
    bool answered = false;
    for (const Question question : kQuestions) {
      AnswerLog before = log;
      const auto answer = log.next(question);
      if (!answer || !*answer) {
        log = std::move(before);
        continue;
      }
      read_answer(**answer, file);
      answered = true;
      break;
    }
    if (!answered && !log.end_round(Json::object())) return;
  }
}

void check(std::string_view text, std::string_view file) {
  FakeFileSystem files;
  files.folders["/job"] = true;
  files.files[kPath] = std::string(text);
  const auto start = AnswerLog::read_start(files, "/job");
  require(files.files[kPath] == text, "reading has cut it", file);
  auto log = AnswerLog::reopen(files, "/job");
  require(start.ok() == log.ok(), "it begins and does not", file);
  if (!log) return require(is_valid_utf8(log.error().message), "a wild error", file);
  const std::string kept = files.files[kPath];
  require(text.starts_with(kept), "what is kept was not there", file);
  require(kept.ends_with('\n'), "a torn line is kept", file);
  AnswerLog again = *AnswerLog::reopen(files, "/job");
  require(files.files[kPath] == kept, "twice is not once", file);
  take_answers(*log, file);
  if (again.catching_up()) return;
  const Json state = {{"rounds", 4242}};
  require(again.add(Question::kText, Json::object()).ok() && again.end_round(state).ok(),
          "nothing can be added", file);
  const auto last = AnswerLog::reopen(files, "/job");
  require(last.ok() && number_of(last->last_round(), "rounds") == 4242, "what was added is lost",
          file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  check(file, file);
  check(with_hashes(file), file);
  return 0;
}
