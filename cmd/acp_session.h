#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "acp/job_updates.h"
#include "acp/prompt.h"
#include "acp/session_store.h"
#include "acp_turn.h"
#include "command.h"
#include "prompts/user_command.h"
#include "sys/folder_lock.h"

namespace pedro {

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
  /// The command line of a new job if `turn` cannot continue `asked_job`.
  std::vector<std::string> otherwise;
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

}  // namespace pedro
