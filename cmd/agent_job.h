#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/executor.h"
#include "agent/journal_observer.h"
#include "agent/logged_model.h"
#include "agent/masked_observer.h"
#include "agent/run_observer.h"
#include "base/trace.h"
#include "command.h"
#include "config/load.h"
#include "job/answer_log.h"
#include "job/job_store.h"
#include "job/journal.h"
#include "job/token_log.h"
#include "job_monitor.h"
#include "model_factory.h"
#include "progress.h"
#include "secret_setup.h"
#include "sys/folder_lock.h"
#include "sys/heartbeat.h"
#include "tools/policy_gate.h"

namespace pedro {

/// What the terminal is told of a run.
Progress make_progress(const CommandContext& context, const Config& config);

/// Something asked for that is done outside of the job when its report is there: it may fail, and
/// what was found out is kept all the same.
struct OutsideStep {
  std::string flag;  ///< that asked for it
  std::function<Status()> run;
  /// The command with which a person goes on where it failed; "{job}" stands for the job's id.
  std::string go_on;
  bool once = false;  ///< whoever goes on with the job after a kill must not do it again
};

/// What came of a job.
struct JobOutcome {
  std::string outcome;  ///< one word, for the journal
  int exit_code = 0;
  std::string branch = {};
  std::string commit = {};
  std::string report = {};   ///< Markdown, printable
  Json result = {};          ///< what an agent found out, where that is all it does
  bool print_report = true;  ///< false: something else stands on stdout
  std::vector<OutsideStep> outside = {};
  int tries = 0;  ///< see JobEnd
};

/// One job of an agent from the model to the exit code: opens the model, makes the job's folder,
/// writes its journal and its report. Borrows everything.
class AgentJob {
 public:
  /// Talks to the model's server; there is no job before that works. What the job shows and keeps
  /// is without `secrets`, but for its answers.log, which has replies as they were. `trace` gets a
  /// sink for tokens.
  static Result<std::unique_ptr<AgentJob>> open(CommandContext& context, const LoadedConfig& config,
                                                Trace& trace, const Secrets& secrets,
                                                ServerConnections& connections, std::string agent,
                                                const LimitOptions& limits);
  ~AgentJob();
  AgentJob(const AgentJob&) = delete;
  AgentJob& operator=(const AgentJob&) = delete;

  Model& model() { return *logged_; }
  const ModelInfo& info() const { return info_; }
  /// Of what the job waits for: set when the program's own is, and when the job's time is over.
  const CancelToken& cancel() const { return cancel_; }
  PolicyGate& gate() { return *gate_; }
  RunObserver& observer() { return *masked_; }
  /// See JournalObserver.
  void keep_checkpoints(TakeCheckpoint take) { observer_->keep_checkpoints(std::move(take)); }
  const std::string& id() const { return id_; }
  const std::string& folder() const { return folder_; }

  /// The job was stopped, and is gone on with: `-resume`. Before start() nothing has changed but
  /// that what was not whole of its log is gone.
  bool is_resumed() const { return !answers_.start().is_null(); }
  AnswerLog& answers() { return answers_; }
  /// Of the process before: rounds that are whole, what start() was given, and the time it took.
  int rounds_before() const;
  const Json& given() const { return member(answers_.start(), "given"); }
  long long elapsed_ms() const { return number_of(answers_.last_round(), "elapsed_ms"); }

  /// How much it may take, by flags and settings; of a job that is gone on with what is left of the
  /// time. A person is told where that is nearly used up.
  const ExecutorLimits& limits() const { return limits_; }

  /// The journal's first line, and that of the log: `given` is all that the job works on. `branch`
  /// is made; `repository` is the user's work tree, where `workdir` is the job's own. From here on
  /// the job is heard.
  Status start(const std::string& title, const std::string& workdir, const std::string& branch,
               Json given, const std::string& repository = "");

  /// Prints and keeps the report, does what is to be done outside, and ends the journal; the exit
  /// code, which is that of the policy where the job did not succeed and the policy kept it from
  /// something. Where only something outside failed it is that error's, as "not_published".
  Result<int> end(JobOutcome outcome);

  /// Ends the journal of a job that could not go on, unless it has an end.
  void fail(const Error& error, const std::string& branch);

 private:
  AgentJob(CommandContext& context, const LoadedConfig& config, const Secrets& secrets,
           ServerConnections& connections, std::string agent);
  Status set_limits(const LoadedConfig& config, const LimitOptions& options,
                    const ModelRegistry& known);
  void begin_time();
  Status open_model(const LoadedConfig& config, Trace& trace, ServerConnections& connections);
  Status make_folder();
  Status take_folder(const JobStore& store);
  Status check_model() const;
  Status begin_log(const std::string& workdir, Json given);
  Status take_up_log();
  Json round_state() const;
  void open_gate(const LoadedConfig& config);
  Status keep_report(const JobOutcome& outcome);
  Status do_once(const OutsideStep& step);
  void do_outside(JobOutcome& outcome);

  CommandContext& context_;
  const Secrets& secrets_;
  CancelToken cancel_;
  std::string agent_;
  Progress progress_;
  TokenLog token_log_;
  JobMonitor monitor_;
  std::unique_ptr<Model> model_;
  AnswerLog answers_;
  std::optional<LoggedModel> logged_;
  ModelInfo info_;
  ExecutorLimits limits_;
  long long max_time_s_ = 0;
  std::string id_;
  std::string folder_;
  std::optional<FolderLock> lock_;  // on it: the job is being worked on
  std::optional<Heartbeat> heartbeat_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<JournalObserver> observer_;
  std::unique_ptr<MaskedObserver> masked_;  // in front of it
  RunObserver* heard_by_;  // what the model has to say: the terminal, later also the journal
  Policy policy_;
  std::unique_ptr<PolicyGate> gate_;
  bool started_ = false;
  bool ended_ = false;
  long long began_ms_ = 0;  // on the clock's ticks
};

}  // namespace pedro
