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

/// What a job asks the world outside of itself.
enum class Question {
  kReply,      ///< the model, in the conversation
  kAside,      ///< the model, beside it
  kFileState,  ///< what is in a file, for the digest
  kText,       ///< what a prompt says of the work tree
  kTree,       ///< the fingerprint of the work tree, files that are new in it
  kPolicy,     ///< the policy, and a person
  kRefusal,    ///< whether an output is true
  kTool,       ///< a tool
  kCheck,      ///< a check
};
std::string_view to_string(Question question);

/// Whether the files of a round that is over can be brought back.
enum class RoundFiles { kKept, kLost };

/// What a job was answered by the world outside, in order, in a file of its folder. A job that was
/// stopped is run again from its beginning over the same answers, which takes no model, no tool and
/// no time, and is then where it was at the end of its last whole round; there it goes on asking.
/// A round whose files are lost is none to go on from: what is behind the one before is done anew.
///
/// `answers.log` has a line for the beginning, for each answer and for the end of each round: 16
/// hexadecimal digits, a hash (hash.h) of the text behind them that begins with that of the line
/// before, a blank, and a JSON object with `type`. A line counts only if it is whole and its hash
/// is right, and none behind one that is not. It becomes no longer than LogLimit, and a longer one
/// is not read. Lines are handed to the operating system at once, and are on the disk when a round
/// has ended.
///
/// After an Error everything that follows is the same Error: the job has to stop. Borrows the file
/// system; one thread.
class AnswerLog {
 public:
  /// Of what is not kept: it knows no answer and writes none.
  AnswerLog() = default;

  /// A new one; `start` is all that the job was given.
  static Result<AnswerLog> create(FileSystem& files, const std::string& folder, const Json& start,
                                  LogLimit limit = {});

  /// That of a job that was stopped; kUsage where there is none. What belongs to a round that did
  /// not end is cut off, but not what the model said before anything else.
  static Result<AnswerLog> reopen(FileSystem& files, const std::string& folder,
                                  LogLimit limit = {});

  /// What create() was given, without cutting anything. Reads the first line only.
  static Result<Json> read_start(const FileSystem& files, const std::string& folder);

  const Json& start() const { return start_; }
  /// What end_round() was given last, in this process or the one before; null before the first.
  const Json& last_round() const { return last_round_; }

  /// The job is not where it was left yet: what it tells has been told.
  bool catching_up() const { return rounds_ahead_ > 0; }
  /// There is a reply of the model ahead, in a round that is whole.
  bool has_reply_ahead() const { return replies_ahead_ > 0; }

  /// There is no room for another round.
  bool is_full() const { return bytes_ > limit_.full_bytes(); }

  /// What of the file could not be used because a line is not as it was written, or the files of
  /// rounds were lost; "" where there was none.
  const std::string& loss() const { return loss_; }

  /// The answer that was given here; nothing where it has to be asked for. Error (kUsage): the job
  /// takes another way than it did. Behind the last whole round it may: it has other limits now,
  /// and what the model said there is dropped.
  Result<std::optional<Json>> next(Question question);
  Status add(Question question, Json answer);

  /// A round is over, and all before is on the disk: `state` is what is to be known of it. Of a
  /// round that is in the log it is left as it is.
  Status end_round(Json state, RoundFiles files = RoundFiles::kKept);

 private:
  struct Line {
    std::string type;
    Json content;
    std::uint64_t hash = 0;
    std::size_t end = 0;  // behind it, in the file
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
  std::uint64_t bytes_ = 0;  // of the file
  std::uint64_t hash_ = 0;   // of the last line
  Json start_;
  Json last_round_;
  std::string loss_;
  std::deque<Line> ahead_;  // lines of the process before
  int rounds_ahead_ = 0;
  int replies_ahead_ = 0;         // in them
  std::uint64_t taken_hash_ = 0;  // of the last line that was handed out again,
  std::size_t taken_end_ = 0;     // and where it ends
  std::optional<Error> failed_;
};

}  // namespace pedro
