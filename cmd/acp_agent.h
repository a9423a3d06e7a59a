#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "acp/session_store.h"
#include "acp_files.h"
#include "acp_session.h"
#include "command.h"
#include "json_rpc/message.h"
#include "rpc_connection.h"

namespace pedro {

/// The agent of the Agent Client Protocol, version 1, on standard input and output. A prompt is a
/// job in a child process, so jobs of several sessions run at once. If the client goes away, the
/// jobs end in an orderly way and can be resumed. One loop in the main thread waits for the client
/// and the jobs, so every message is written by one thread. Borrows the context.
class AcpAgent {
 public:
  AcpAgent(CommandContext& context, const std::string& state_folder)
      : context_(context), store_(context.files, state_folder), files_(context) {}

  /// Serves the client until it closes standard input. Returns 0; 1 if a job was running then, or
  /// if the input ended inside a message; 128 + N after signal N.
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
  bool sees_images() const;
  AcpPromptFiles files_for(const AcpSession& session, const acp::Prompt& prompt) const;
  Answer start_prompt(AcpSession& session, const acp::Prompt& prompt, const Json& id);
  Answer undo(AcpSession& session);
  void ask_client(AcpSession& session, const Json& question);
  void finish_turns();
  bool starts_otherwise(AcpSession& session);
  void finish(AcpSession& session);
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
