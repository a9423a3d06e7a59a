#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/executor.h"
#include "agent/journal_observer.h"
#include "agent/logged_run.h"
#include "agent/run_hooks.h"
#include "agent/run_observer.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/trace.h"
#include "call_parser/answer_stream.h"
#include "chat/image.h"
#include "command.h"
#include "config/load.h"
#include "job/answer_log.h"
#include "job/inbox.h"
#include "job/job_store.h"
#include "job/journal.h"
#include "model_factory.h"
#include "monitor/job_figures.h"
#include "monitor/metric.h"
#include "monitor/usage_watch.h"
#include "policy/policy_gate.h"
#include "progress.h"
#include "secret_setup.h"
#include "sys/folder_lock.h"
#include "sys/heartbeat.h"
#include "sys/http.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// Warns the user of high usage (UsageWatch) and exports metrics of a job, based on its journal.
/// Rewrites a file for Prometheus after each reply and each phase. Sends a message to an
/// OpenTelemetry collector at the end of each turn. Reports each failure once on stderr and
/// continues. Borrows all arguments except the settings.
class JobMonitor {
 public:
  /// `tell` receives warnings for the user. Requires settings that open_agent_project() has
  /// checked.
  JobMonitor(CommandContext& context, const LoadedConfig& config, Http& http,
             const ModelRegistry& models, std::function<void(std::string_view)> tell);

  /// Sets the limits of the job.
  void expect(JobBudget budget) { watch_.set_budget(budget); }
  /// Writes the file without metrics. Error (kUsage): it cannot be written.
  Status begin();
  /// Processes a line of the journal.
  void hear(std::string_view line);
  /// Processes the journal of a resumed job's previous process, without warnings.
  void hear_earlier(const std::string& journal);
  /// Exports the metrics at the end of a turn.
  void end();

 private:
  Status write_file();
  CommandContext& context_;
  Http& http_;
  const ModelRegistry& models_;
  std::string file_;
  std::optional<OtlpTarget> target_;
  std::function<void(std::string_view)> tell_;
  FigureReader reader_;
  UsageWatch watch_;
};

/// The output of `-live`: lines between those of the journal, for a program that shows the job.
/// docs/journal.md describes them. Borrows everything; one thread.
class LiveOutput {
 public:
  LiveOutput(const Clock& clock, const Secrets& secrets) : clock_(clock), secrets_(secrets) {}

  /// Prints a line of the journal. The next text begins another reply.
  void print_event(std::string_view line);

  /// Prints the new part of an answer, with secrets masked: whole words, at most 20 times a second.
  /// The journal has the complete answer later.
  void hear_text(std::string_view part);

  /// Prints a question of the policy, and waits for its answer on standard input. The answer is
  /// "no" if standard input ends. Errors: kInterrupted once `cancel` is set.
  Result<policy::Answer> ask(const policy::Question& question, const CancelToken& cancel);

  /// Waits for the line {"message": TEXT} of the user's next message. Returns "" at the end of
  /// standard input, or once `cancel` is set.
  std::string next_message(const CancelToken& cancel) const;

 private:
  const Clock& clock_;
  const Secrets& secrets_;
  AnswerStream stream_{"answer"};
  std::string shown_;              // of the answer
  long long last_shown_ms_ = -50;  // on the monotonic clock
  int questions_ = 0;
};

/// Returns the terminal output of a run, with the verbosity of the global flags.
Progress make_progress(const CommandContext& context, const Config& config);

/// A requested action outside of the job, performed after the report is saved. The report survives
/// a failure of the action.
struct OutsideStep {
  std::string flag;  ///< the flag that requested it
  std::function<Status()> run;
  /// The command to continue with after a failure. "{job}" is replaced by the job's id.
  std::string go_on;
  bool once = false;  ///< must not be repeated after a resumed job
};

/// The result of a job.
struct JobOutcome {
  std::string outcome;  ///< one word, for the journal
  int exit_code = 0;
  std::string branch = {};
  std::string commit = {};
  std::string report = {};   ///< Markdown, printable
  Json result = {};          ///< findings of an agent that only reads
  bool print_report = true;  ///< false: stdout is used for other output
  std::vector<OutsideStep> outside = {};
  int tries = 0;            ///< see JobEnd
  std::string reason = {};  ///< see JobEnd
};

/// One job of an agent, from the model to the exit code. Opens the model, creates the job's folder
/// and writes its journal and report. Borrows everything.
class AgentJob {
 public:
  using BeforeModel = std::function<Status(const AgentJob& job)>;

  /// Creates the job's folder, then connects to the model's server. Removes the folder of a new job
  /// after an error. Masks `secrets` in everything that the job shows and stores, except in
  /// answers.log, which has verbatim replies. Adds a sink for tokens to `trace`. Calls
  /// `before_model` between the two steps, when the job has its id.
  static Result<std::unique_ptr<AgentJob>> open(CommandContext& context, const LoadedConfig& config,
                                                Trace& trace, const Secrets& secrets,
                                                ServerConnections& connections, std::string agent,
                                                const LimitOptions& limits,
                                                const BeforeModel& before_model = {});
  ~AgentJob();
  AgentJob(const AgentJob&) = delete;
  AgentJob& operator=(const AgentJob&) = delete;

  Model& model() { return *logged_; }
  /// See LoggedModel::on_wait().
  void on_wait(std::function<void(long long, long long)> on_wait) {
    logged_->on_wait(std::move(on_wait));
  }
  const ModelInfo& info() const { return info_; }
  /// The images that the model gets for marks in messages.
  ImageFolder& images() { return *images_; }
  /// Cancelled together with the program, or when the job's time has expired.
  const CancelToken& cancel() const { return cancel_; }
  policy::Gate& gate() { return *gate_; }
  /// After start().
  RunHooks& hooks() { return *hooks_; }
  RunObserver& observer() { return *masked_; }
  /// See JournalObserver.
  void keep_checkpoints(TakeCheckpoint take) { observer_->keep_checkpoints(std::move(take)); }
  const std::string& id() const { return id_; }
  const std::string& folder() const { return folder_; }

  /// Returns true if the job was stopped and is resumed (`-resume`). Before start(), a resumed job
  /// has changed nothing except that it removed an incomplete end of its log.
  bool is_resumed() const { return !answers_.start().is_null(); }
  AnswerLog& answers() { return answers_; }
  /// State of the previous process: completed rounds, the argument `given` of start(), and elapsed
  /// time.
  int rounds_before() const;
  const Json& given() const { return member(answers_.start(), "given"); }
  long long elapsed_ms() const {
    return is_new_turn_ ? 0 : number_of(answers_.last_round(), "elapsed_ms");
  }

  /// Stores the message of the command line, if any, for next_message(). Errors: of the disk.
  Status keep_message();
  /// Returns the user's messages since the last round, joined; "" if there are none. They begin a
  /// turn: the limit of time applies from now on. Errors: of the log.
  Result<std::string> next_message();
  /// Waits for the user's next message to a job that is done, with `-live`. Begins a turn with the
  /// message, which next_message() returns. Other processes may continue the job meanwhile. Returns
  /// false without a message. Errors: kUsage if another process has continued the job; of the disk.
  Result<bool> begin_turn();
  /// Sets the number of the turn (BuildStart), which the log stores with each round.
  void set_turn(int turn) { turn_ = turn; }
  /// Returns true if a round of that turn is complete, maybe in an earlier process.
  bool has_begun_turn() const { return number_of(answers_.last_round(), "turn") >= turn_; }

  /// Returns the limits from flags and settings. A resumed job gets the remaining time. Warnings
  /// report a nearly exhausted limit.
  const ExecutorLimits& limits() const { return limits_; }

  /// Writes the first lines of the journal and of the answer log. `given`: all inputs of the job.
  /// `branch` must exist. `repository`: the user's work tree if `workdir` is the job's own. The
  /// journal receives all later events.
  Status start(const std::string& title, const std::string& workdir, const std::string& branch,
               Json given, const std::string& repository = "");

  /// Prints and saves the report, performs the outside steps and ends the journal. Returns the exit
  /// code. It is that of the policy if the job did not succeed and the policy denied a request. If
  /// only an outside step failed, it is that of the step's error, with the outcome "not_published".
  Result<int> end(JobOutcome outcome);

  /// Ends the journal of a job that failed, unless it has ended.
  void fail(const Error& error, const std::string& branch);

 private:
  AgentJob(CommandContext& context, const LoadedConfig& config, const Secrets& secrets,
           ServerConnections& connections, std::string agent);
  Status set_limits(const LoadedConfig& config, const LimitOptions& options,
                    const ModelRegistry& known);
  void begin_time();
  Status add_images();
  Status open_model(const LoadedConfig& config, Trace& trace, ServerConnections& connections);
  Status make_folder();
  void remove_folder();
  Status keep_earlier_report();
  bool waits_for_messages() const { return live_ && agent_ == kAskAgent; }
  Status extend_limits(const JobStore& store);
  Status take_folder(const JobStore& store);
  const Json& model_before() const { return member(answers_.start(), "model"); }
  Status check_model() const;
  Status begin_log(const std::string& workdir, Json given);
  Status take_up_log();
  Json round_state() const;
  void open_gate(const LoadedConfig& config);
  void notify(const std::string& event);
  void make_hooks(const std::string& workdir);
  Status keep_report(const JobOutcome& outcome);
  Status do_once(const OutsideStep& step);
  void do_outside(JobOutcome& outcome);

  CommandContext& context_;
  const Secrets& secrets_;
  const Notification notification_;
  CancelToken cancel_;
  std::string agent_;
  Progress progress_;
  std::optional<LiveOutput> live_;  // with -live
  TokenLog token_log_;
  JobMonitor monitor_;
  std::unique_ptr<Model> model_;
  AnswerLog answers_;
  std::optional<LoggedModel> logged_;
  Result<std::string> served_model_ = std::string();  // when the model was opened
  ModelInfo info_;
  ExecutorLimits limits_;
  long long max_time_s_ = 0;
  std::string id_;
  std::string folder_;
  std::optional<FolderLock> lock_;  // held while this process works on the job
  std::optional<Inbox> inbox_;
  std::optional<ImageFolder> images_;
  std::optional<Heartbeat> heartbeat_;
  std::unique_ptr<Journal> journal_;
  JournalPlace before_end_;  // of the journal, before its last line
  JobHeader header_;
  std::unique_ptr<JournalObserver> observer_;
  std::unique_ptr<MaskedObserver> masked_;  // masks events for observer_
  RunObserver* heard_by_;  // receives the model's messages: the terminal, later also the journal
  policy::Policy policy_;
  std::unique_ptr<policy::Gate> gate_;
  std::vector<Hook> given_hooks_;
  std::unique_ptr<RunHooks> hooks_;
  bool started_ = false;
  bool ended_ = false;
  bool is_new_turn_ = false;  // earlier time does not count: the job was done
  int turn_ = 0;
  long long began_ms_ = 0;  // on the monotonic clock
  long long input_ms_ = 0;  // time of the user's last input
};

}  // namespace pedro
