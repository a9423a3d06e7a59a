#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro::acp {

/// The plan of a job: its phases so far, and the steps that one of them planned. The phase after
/// that one performs the steps.
class JobPlan {
 public:
  /// `total`: the number of phases.
  void start_phase(const std::string& name, long long total);
  /// `end`: see PhaseEnd. `output`: of the phase; the plan uses its `steps`, [{file, change}].
  void end_phase(const std::string& name, const std::string& end, const Json& output);

  /// Returns true if there is more than one phase.
  bool is_shown() const { return total_ > 1; }
  /// The entries of a `plan` update.
  Json entries() const;

 private:
  struct Phase {
    std::string name;
    std::string status;
    std::vector<std::string> steps = {};  // performed by the next phase
  };
  std::vector<Phase> phases_;
  long long total_ = 0;
};

/// Receives the `update` of a session/update notification.
using SendUpdate = std::function<void(Json update)>;

/// The files that updates need besides the events of a job.
struct JobSources {
  /// Returns the report at a path; "" if it is unreadable.
  std::function<std::string(const std::string& path)> report;
  /// Returns the text of a file, with a path relative to `workdir`, in a commit of the repository
  /// there. Returns nothing if it does not exist there.
  std::function<std::optional<std::string>(const std::string& workdir, const std::string& commit,
                                           const std::string& path)>
      text_at;
};

/// Converts the events of a job, its journal and the lines of `-live`, to updates of a session. The
/// journal alone gives the same updates, except that answers arrive whole. One thread.
///
///     JobUpdates updates(sources, [](Json update) { ... });
///     read_journal(files, path, [&](const Json& event) { updates.hear(event); });
class JobUpdates {
 public:
  JobUpdates(JobSources sources, SendUpdate send)
      : sources_(std::move(sources)), send_(std::move(send)) {}

  void hear(const Json& event);

  /// Forgets the end of a job that is resumed.
  void forget_end();

  /// The job's id; "" before its first event.
  const std::string& job() const { return job_; }
  /// The model's context window in tokens; 0 if it is unknown.
  long long window_tokens() const { return window_tokens_; }
  /// The last answer, or the report; "" before the end.
  const std::string& answer() const { return answer_; }
  /// The error that ended the job, or "".
  const std::string& error() const { return error_; }
  /// The exit code of a job that has ended.
  std::optional<int> exit_code() const { return exit_code_; }
  /// Returns true if the job answers questions and is done. `pedrocli ask -after` continues it.
  bool is_answered() const { return is_ask() && exit_code_ == 0; }
  /// Returns true if the job has checkpoints, which `pedrocli undo` needs.
  bool has_checkpoints() const { return !checkpoint_.empty(); }
  /// The id of the tool call that runs, or "".
  const std::string& open_call() const { return open_call_; }

 private:
  struct Edit {
    std::string call_id;
    std::string path;
  };

  void hear_item(const Json& item, bool is_start);
  void start_call(const Json& item);
  void end_call(const Json& item);
  void start_check(const Json& item);
  void end_check(const Json& item);
  void hear_delta(const Json& event);
  void show_diffs(const std::string& commit);
  void end_thread(const Json& event);
  void give_answer(std::string whole);
  void send_answer(const std::string& text);
  bool is_ask() const { return agent_ == "ask"; }
  void say(const std::string& text, std::string_view kind);
  std::string call_id(const Json& item) const;
  Json locations(const std::vector<std::string>& paths, const Json& args) const;
  void send_plan();

  JobSources sources_;
  SendUpdate send_;
  std::string job_;
  std::string agent_;
  std::string workdir_;
  JobPlan plan_;
  std::string open_call_;
  std::vector<Edit> edits_;                 // since the last checkpoint
  std::map<std::string, Json> call_texts_;  // content of calls in `edits_`
  std::string checkpoint_;                  // the last commit
  std::string streamed_;                    // of the current answer
  bool answered_ = false;                   // the current question
  int answers_ = 0;                         // answers that began to stream
  std::string answer_;
  std::string error_;
  long long window_tokens_ = 0;
  std::optional<int> exit_code_;
};

/// Replays the journal of a job whose questions belong to several turns of a session (`pedrocli ask
/// -after`). Keeps the events of later turns in memory. One thread.
///
///     read_journal(files, path, [&](const Json& event) { replay.hear(event, updates); });
///     replay.next_turn(updates);   // for each later turn
class JobReplay {
 public:
  /// Passes an event of the first turn to `updates`, and keeps one of a later turn.
  void hear(const Json& event, JobUpdates& updates);
  /// Passes the events of the next turn to `updates`, if there is one.
  void next_turn(JobUpdates& updates);

 private:
  std::deque<std::vector<Json>> later_;
  bool is_ask_ = false;
  bool answered_ = false;  // the last turn
};

/// Returns the parameters of session/request_permission for a question of the policy, as `-live`
/// prints it: {what, why, always}. `call_id`: the tool call that it is about.
Json permission_request(const std::string& session_id, const std::string& call_id,
                        const Json& question);

/// Returns the answer in the client's result: "yes", "always" or "no". A cancelled or invalid
/// answer is "no".
std::string permission_answer(const Json& result);

}  // namespace pedro::acp
