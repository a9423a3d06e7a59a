#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acp/job_updates.h"
#include "acp/prompt.h"
#include "acp/session_store.h"
#include "base/clock.h"
#include "base/json.h"
#include "command.h"
#include "git/repository.h"
#include "job/job_store.h"
#include "json_rpc/message.h"
#include "prompts/user_command.h"
#include "rpc_connection.h"
#include "sys/child_program.h"
#include "sys/folder_lock.h"

namespace pedro {

/// A job that runs for a prompt of a session: a child process with `-live`. Its lines become
/// updates. The job ends if this process is killed. Only for the main thread.
class AcpTurn {
 public:
  struct Events {
    std::function<void(const std::string& job)> on_job;  ///< the job has an id
    /// The policy asks: {number, what, why, always}. answer() replies.
    std::function<void(const Json& question)> on_question;
  };

  /// `argv`: a command line of this program. Borrows `updates` and the clock. Errors: the process
  /// cannot be started.
  static Result<std::unique_ptr<AcpTurn>> start(const std::vector<std::string>& argv,
                                                acp::JobUpdates& updates, Events events,
                                                const Clock& clock);

  ChildProgram& program() { return *program_; }

  /// Gives the user's next message to a job that waits for it.
  void go_on(const std::string& message) const;

  /// Answers the question with this number: "yes", "no" or "always".
  void answer(long long number, std::string_view word) const;

  /// See ChildProgram::stop(): after Ctrl-C, a job commits its work.
  void stop() { program_->stop(clock_, kCommitGrace_ms); }
  bool is_stopping() const { return program_->is_stopping(); }

  /// Returns the last error that the process printed; "" if there is none.
  const std::string& last_error() const { return last_error_; }

 private:
  AcpTurn(acp::JobUpdates& updates, Events events, const Clock& clock)
      : updates_(updates), events_(std::move(events)), clock_(clock) {}
  void hear(StandardStream stream, std::string_view line);

  acp::JobUpdates& updates_;
  Events events_;
  const Clock& clock_;
  std::string last_error_;
  std::unique_ptr<ChildProgram> program_;
};

/// The end of a turn, for the client and for the later turns.
struct AcpTurnEnd {
  std::string stop_reason;  ///< of the protocol; "" if the turn failed
  std::string problem;      ///< the reason of a failure
  std::string said;         ///< the answer, or the text in its place
};

/// The acts of a client during a turn.
struct ClientActs {
  bool cancelled = false;
  bool went_away = false;
};

/// Returns the end of a turn whose job had this exit code.
AcpTurnEnd end_of(const AcpTurn& turn, const acp::JobUpdates& updates, int code, ClientActs client);

/// A session that this process has open.
struct AcpSession {
  std::string id;
  std::string cwd;
  std::string mode;                          ///< "ask", "plan" or "build"
  std::optional<FolderLock> lock;            ///< no other process has it open
  std::vector<UserCommand> commands;         ///< of the user and the project
  std::vector<acp::Exchange> earlier;        ///< without the current turn
  std::unique_ptr<acp::JobUpdates> updates;  ///< of the last job; null before the first
  acp::JobReplay replay;                     ///< of that job, while the session is loaded
  std::string changed_job;                   ///< the last job with checkpoints, or ""
  std::string asked_job;                     ///< has the last exchange and is done, or ""
  bool muted = false;                        ///< sends no updates

  std::unique_ptr<AcpTurn> turn;  ///< null if no job runs
  /// The process of `asked_job`, which waits for the next message; null if there is none.
  std::unique_ptr<AcpTurn> waiting;
  /// Command lines to try if `turn` cannot continue `asked_job`, the first one first.
  struct Otherwise {
    std::vector<std::string> argv;
    bool is_new = false;  ///< begins another job
  };
  std::deque<Otherwise> otherwise;
  std::string prompt;      ///< of the current turn
  Json prompt_id;          ///< of its request; null for a job that session/load resumed
  bool cancelled = false;  ///< by the client
  std::map<long long, long long>
      questions;  ///< ids of requests to the client: numbers of questions

  const std::string& last_job() const;
  /// Adds the current turn, or a stored one, to `earlier`.
  void add_exchange(acp::Exchange exchange);
};

/// Returns the modes of a session, as SessionModeState.
Json acp_modes(const std::string& current);
bool is_acp_mode(const std::string& id);

/// Returns the commands that a prompt may begin with, as AvailableCommand.
Json acp_commands(const AcpSession& session);
std::vector<std::string> acp_command_names(const AcpSession& session);

/// The files of a prompt's material and images.
struct AcpPromptFiles {
  std::string material;  ///< "": none
  std::vector<std::string> images;
};

/// Returns the command line that continues the conversation of `asked_job`; empty if the prompt
/// needs a new job. Arguments: see acp_job().
std::vector<std::string> acp_follow_up(const CommandContext& context, const AcpSession& session,
                                       const std::string& command, const std::string& text,
                                       const AcpPromptFiles& files);

/// Returns the command line of a new job for a prompt. `command` is one of acp_command_names()
/// except undo, or "". `text` is the prompt without it. Errors: no text; unusable prompt files of
/// the project.
Result<std::vector<std::string>> acp_job(CommandContext& context, const AcpSession& session,
                                         const std::string& command, const std::string& text,
                                         const AcpPromptFiles& files);

/// Passes the events of a job's journal to the session's updates. Errors: kUsage if there is no
/// such job; an unreadable journal.
Status replay_job(CommandContext& context, const std::string& job, AcpSession& session);

/// Returns true if the last job of the session stopped, but not by the user's wish.
bool was_interrupted(const CommandContext& context, const acp::StoredSession& stored);

/// Reads the files that the updates of a session show. Borrows the context; one thread.
class AcpFiles {
 public:
  explicit AcpFiles(CommandContext& context) : context_(context) {}

  /// Returns functions that borrow this object.
  acp::JobSources sources();

 private:
  std::string report(const std::string& path) const;
  std::optional<std::string> text_at(const std::string& workdir, const std::string& commit,
                                     const std::string& path);

  CommandContext& context_;
  std::map<std::string, std::unique_ptr<Repository>> repositories_;  // null: cannot be opened
};

/// The agent of the Agent Client Protocol, version 1, on standard input and output. A prompt is a
/// job in a child process, so jobs of several sessions run at once. If the client goes away, the
/// jobs end in an orderly way and can be resumed. One loop in the main thread waits for the client
/// and the jobs, so one thread writes every message. Borrows the context.
class AcpAgent {
 public:
  AcpAgent(CommandContext& context, const std::string& state_folder)
      : context_(context), store_(context.files, state_folder), files_(context) {}

  /// Serves the client until it closes standard input. Returns 0, or 1 if a job was running then or
  /// the input ended inside a message. Returns 128 + N after signal N.
  int run();

 private:
  struct Later {};  // the response follows when the job ends
  using Answer = std::variant<Json, json_rpc::RpcError, Later>;
  struct Method {
    const char* name;
    Answer (AcpAgent::*function)(const json_rpc::Call& call);
  };
  static const std::vector<Method>& methods();

  void read();
  void hear_call(const json_rpc::Call& call);
  void hear_response(const json_rpc::Response& response);
  void send_update(const AcpSession& session, Json update);
  void say(const AcpSession& session, const std::string& text);

  Answer initialize(const json_rpc::Call& call);
  Answer new_session(const json_rpc::Call& call);
  Answer open_again(const json_rpc::Call& call);
  Answer close_session(AcpSession& session, const json_rpc::Call& call);
  Answer list_sessions(const json_rpc::Call& call);
  Answer set_mode(AcpSession& session, const json_rpc::Call& call);
  Answer prompt(AcpSession& session, const json_rpc::Call& call);
  Answer cancel(AcpSession& session, const json_rpc::Call& call);
  Answer cancel_request(const json_rpc::Call& call);

  std::variant<std::string, json_rpc::RpcError> folder_of(const json_rpc::Call& call) const;
  template <auto kFunction>
  Answer with_session(const json_rpc::Call& call);
  void replay(AcpSession& session, const acp::StoredTurn& turn);
  void finish_opening(AcpSession& session);
  void open_updates(AcpSession& session);
  Answer start_turn(AcpSession& session, const std::vector<std::string>& argv);
  Answer go_on(AcpSession& session, const std::string& text);
  bool sees_images() const;
  AcpPromptFiles files_for(const AcpSession& session, const acp::Prompt& prompt) const;
  Answer start_prompt(AcpSession& session, const acp::Prompt& prompt, const Json& id);
  Answer undo(AcpSession& session);
  void ask_client(AcpSession& session, const Json& question);
  void finish_turns();
  bool starts_otherwise(AcpSession& session);
  void finish(AcpSession& session);
  bool is_busy() const;
  void keep_waiting(std::size_t count);
  std::vector<ChildProgram*> programs() const;

  CommandContext& context_;
  acp::SessionStore store_;
  AcpFiles files_;
  RpcConnection client_;
  std::map<std::string, AcpSession> sessions_;
  std::vector<std::function<void()>> after_response_;
  long long next_request_ = 1;
  bool initialized_ = false;
  bool closing_ = false;
  bool lost_ = false;  // the client went away during a turn or a message
};

}  // namespace pedro
