// The turns of the agent's sessions: each is a job in a child process.
#include <fmt/format.h>

#include <algorithm>

#include "acp_agent.h"
#include "job/exit_code.h"

namespace pedro {

AcpAgent::Answer AcpAgent::start_turn(AcpSession& session, const std::vector<std::string>& argv) {
  session.cancelled = false;
  session.updates->forget_end();
  const std::string& id = session.id;
  AcpTurn::Events events{
      [this, id](const std::string& job) {
        sessions_.at(id).otherwise.clear();
        send_update(sessions_.at(id),
                    {{"sessionUpdate", "session_info_update"}, {"_meta", {{"pedrocli/job", job}}}});
        if (const Status kept = store_.add_job(id, job); !kept) {
          print_error("pedrocli: the session is incomplete: " + kept.error().message);
        }
      },
      [this, id](const Json& question) { ask_client(sessions_.at(id), question); }};
  Result<std::unique_ptr<AcpTurn>> turn =
      AcpTurn::start(argv, *session.updates, std::move(events), context_.clock);
  if (!turn) return json_rpc::RpcError{.message = turn.error().message};
  session.turn = *std::move(turn);
  return Later();
}

void AcpAgent::ask_client(AcpSession& session, const Json& question) {
  const long long number = number_of(question, "number");
  const std::string& call = session.updates->open_call();
  session.questions[next_request_] = number;
  client_.send(json_rpc::request(
      next_request_++, "session/request_permission",
      acp::permission_request(
          session.id,
          call.empty() ? fmt::format("{}/question{}", session.last_job(), number) : call,
          question)));
}

AcpAgent::Answer AcpAgent::cancel(AcpSession& session, const json_rpc::Call& /*call*/) {
  if (session.turn && !session.cancelled) {
    session.cancelled = true;
    (void)store_.add_cancelled(session.id);
    session.turn->stop();
  }
  return Json::object();
}

bool AcpAgent::is_busy() const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [](const auto& one) { return one.second.turn != nullptr; });
}

// Ends jobs that wait for a message until there are at most `count`. Their sessions continue them
// in new processes.
void AcpAgent::keep_waiting(std::size_t count) {
  for (auto& [id, session] : sessions_) {
    if (!session.waiting) continue;
    if (count == 0) {
      session.waiting.reset();
    } else {
      --count;
    }
  }
}

std::vector<ChildProgram*> AcpAgent::programs() const {
  std::vector<ChildProgram*> programs;
  for (const auto& [id, session] : sessions_) {
    for (const auto* turn : {&session.turn, &session.waiting}) {
      if (*turn) programs.push_back(&(*turn)->program());
    }
  }
  return programs;
}

void AcpAgent::finish_turns() {
  for (auto& [id, session] : sessions_) {
    if (!session.turn) continue;
    if (closing_ || session.turn->is_stopping()) session.turn->stop();
    const bool is_answered = session.updates->is_answered() && !session.turn->is_stopping();
    if (is_answered || session.turn->program().exit_code()) finish(session);
  }
}

// Starts a new job if the last one cannot continue: the model or the prompts have changed.
bool AcpAgent::starts_otherwise(AcpSession& session) {
  if (session.otherwise.empty() || session.cancelled || closing_) return false;
  const AcpSession::Otherwise next = std::move(session.otherwise.front());
  session.otherwise.pop_front();
  if (next.is_new) open_updates(session);
  return std::holds_alternative<Later>(start_turn(session, next.argv));
}

void AcpAgent::finish(AcpSession& session) {
  std::unique_ptr<AcpTurn> turn = std::move(session.turn);
  const auto exited = turn->program().exit_code();
  const int code = session.updates->exit_code().value_or(exited.value_or(kExitDone));
  // A process that waited may also have been killed.
  const bool may_not_go_on = code == kExitUsage || (exited && session.otherwise.size() > 1);
  if (may_not_go_on && starts_otherwise(session)) return;
  const acp::JobUpdates& updates = *session.updates;
  const Json id = std::exchange(session.prompt_id, Json());
  session.questions.clear();
  const AcpTurnEnd end = end_of(*turn, updates, code, {session.cancelled, closing_});
  session.add_exchange({session.prompt, end.said});
  if (!exited) session.waiting = std::move(turn);
  if (!end.stop_reason.empty()) {
    if (!id.is_null()) client_.send(json_rpc::response(id, {{"stopReason", end.stop_reason}}));
    return;
  }
  if (updates.job().empty()) (void)store_.add_message(session.id, end.problem);
  if (id.is_null()) return say(session, end.problem);
  client_.send(json_rpc::response(json_rpc::RpcError{json_rpc::kInternalError, end.problem, id}));
}

}  // namespace pedro
