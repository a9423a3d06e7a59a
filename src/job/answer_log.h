#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "job/log_limit.h"
#include "sys/file_system.h"

namespace pedro {

/// Kinds of external input to a job.
enum class Question {
  kReply,      ///< the model's reply in the conversation
  kAside,      ///< the model's reply outside the conversation
  kFileState,  ///< the contents of a file, for the digest
  kText,       ///< text about the work tree for a prompt
  kTree,       ///< the fingerprint of the work tree, or its new files
  kPolicy,     ///< the decision of the policy or the user
  kRefusal,    ///< the refusal of an output, if it is wrong
  kTool,       ///< the result of a tool
  kCheck,      ///< the outcome of a check
  kTogether,   ///< the number of requests that the model answers at the same time
  kMessages,   ///< messages of the user during the job
  kHook,       ///< the answer of the user's hooks, except about calls
};
std::string_view to_string(Question question);

/// The state of the files after a round: restorable or not.
enum class RoundFiles { kKept, kLost };

/// Records all external input of a job, in order, in a file of its folder. A stopped job runs again
/// from the beginning with the recorded answers, without a model or tools. It thus reaches the
/// state at the end of its last complete round, and continues with new questions. A round whose
/// files are lost cannot be continued; the job continues after an earlier one.
///
/// `answers.log` has one line for the start, for each answer and for the end of each round. A line
/// is 16 hexadecimal digits, a blank, and a JSON object with `type`. The digits are a hash (hash.h)
/// of the object, seeded with the hash of the line before. Reading stops at the first incomplete
/// line or wrong hash. The file never exceeds LogLimit, and a longer one is not read. Lines go to
/// the operating system at once, and to the disk at the end of each round.
///
/// After an error, all later calls return the same error, and the job must stop. Borrows the file
/// system. One thread.
class AnswerLog {
 public:
  /// An empty log: replays nothing and records nothing.
  AnswerLog() = default;

  /// Creates a log; `start` is the complete input of the job. Errors: those of the disk.
  static Result<AnswerLog> create(FileSystem& files, const std::string& folder, const Json& start,
                                  LogLimit limit = {});

  /// Opens the log of a stopped job. Removes answers of an incomplete round, except replies of the
  /// model directly after the last complete one. Errors: kUsage if there is no log or no valid
  /// start.
  static Result<AnswerLog> reopen(FileSystem& files, const std::string& folder,
                                  LogLimit limit = {});

  /// Returns the `start` of create(). Reads only the first line and changes nothing.
  static Result<Json> read_start(const FileSystem& files, const std::string& folder);

  const Json& start() const { return start_; }
  /// Returns the last state given to end_round(), in this or an earlier process; null before the
  /// first.
  const Json& last_round() const { return last_round_; }

  /// Returns true while complete rounds are replayed. Their output was reported before.
  bool catching_up() const { return rounds_ahead_ > 0; }
  /// Returns true if a reply of the model in a complete round is still to be replayed.
  bool has_reply_ahead() const { return replies_ahead_ > 0; }

  /// Returns true if the next line to be replayed answers this question.
  bool has_next(Question question) const {
    return !ahead_.empty() && ahead_.front().type == to_string(question);
  }

  /// Returns true if there is no room for another round.
  bool is_full() const { return bytes_ > limit_.full_bytes(); }

  /// Describes recorded rounds that cannot be used: a damaged line, or lost files. "" if there are
  /// none.
  const std::string& loss() const { return loss_; }

  /// Returns the recorded answer; nothing if the question must be asked. Errors (kUsage): the job
  /// asks another question than it did before. After the last complete round it may do so, since
  /// its limits may differ; the recorded replies are dropped.
  Result<std::optional<Json>> next(Question question);
  Status add(Question question, Json answer);

  /// Ends a round and syncs the log to the disk. `state` is recorded with it. Ignored for a
  /// replayed round.
  Status end_round(Json state, RoundFiles files = RoundFiles::kKept);

  /// Removes the answers after the last complete round, as reopen() does, for another turn of the
  /// same process.
  Status cut_to_round();

 private:
  struct Line {
    std::string type;
    Json content;
    std::uint64_t hash = 0;
    std::size_t end = 0;  // offset after it, in the file
  };
  struct Reading;
  static Reading read_lines(std::string_view text);
  static bool can_go_on_from(const Line& line);
  static std::size_t lines_to_keep(const std::vector<Line>& lines);

  AnswerLog(FileSystem& files, const std::string& folder, LogLimit limit)
      : files_(&files), path_(join_path(folder, "answers.log")), limit_(limit) {}
  Status write(std::string_view type, Json content);
  Status fail(Error error);
  Line take_ahead();
  Status drop_ahead();
  Error other_way(std::string_view asked) const;

  FileSystem* files_ = nullptr;
  std::string path_;
  LogLimit limit_;
  std::uint64_t bytes_ = 0;        // size of the file
  std::uint64_t hash_ = 0;         // of the last line
  std::uint64_t round_bytes_ = 0;  // at the end of the last complete round; 0: none
  std::uint64_t round_hash_ = 0;
  Json start_;
  Json last_round_;
  std::string loss_;
  std::deque<Line> ahead_;  // lines still to be replayed
  int rounds_ahead_ = 0;
  int replies_ahead_ = 0;         // in complete rounds
  std::uint64_t taken_hash_ = 0;  // hash of the last replayed line
  std::size_t taken_end_ = 0;     // offset after it
  std::optional<Error> failed_;
};

}  // namespace pedro
