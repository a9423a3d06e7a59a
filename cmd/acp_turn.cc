#include "acp_turn.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "job/exit_code.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxLastErrorBytes = 1000;

}  // namespace

Result<std::unique_ptr<AcpTurn>> AcpTurn::start(const std::vector<std::string>& argv,
                                                acp::JobUpdates& updates, Events events,
                                                const Clock& clock) {
  std::unique_ptr<AcpTurn> turn(new AcpTurn(updates, std::move(events), clock));
  const auto hear = [heard_by = turn.get()](StandardStream stream, std::string_view line) {
    heard_by->hear(stream, line);
  };
  PEDRO_TRY(auto program, ChildProgram::start(argv, hear, {}, ChildInput::kPipe));
  turn->program_ = std::move(program);
  return turn;
}

void AcpTurn::hear(StandardStream stream, std::string_view line) {
  constexpr std::string_view kPrefix = "pedrocli: ";
  if (stream == StandardStream::kError) {
    if (line.starts_with(kPrefix) && !line.starts_with("pedrocli: warning")) {
      line.remove_prefix(kPrefix.size());
      last_error_ = make_printable(truncate_utf8(line, kMaxLastErrorBytes));
    }
    return;
  }
  const Result<Json> event = parse_json(line);
  if (!event) return;
  if (text_of(*event, "type") == "permission.asked") return events_.on_question(*event);
  updates_.hear(*event);
  if (text_of(*event, "type") == "thread.started") events_.on_job(updates_.job());
}

void AcpTurn::answer(long long number, std::string_view word) const {
  program_->write(to_line({{"number", number}, {"answer", word}}) + "\n");
}

AcpTurnEnd end_of(const AcpTurn& turn, const acp::JobUpdates& updates, int code,
                  ClientActs client) {
  AcpTurnEnd end;
  const bool has_ended = code == kExitDone || (code >= kExitNotVerified && code <= kExitBlocked);
  const bool cancelled = client.cancelled || (client.went_away && !has_ended);
  if (cancelled) {
    end.stop_reason = "cancelled";
  } else if (has_ended) {
    end.stop_reason = code == kExitLimit ? "max_turn_requests" : "end_turn";
  }
  end.problem = !updates.error().empty() ? updates.error() : turn.last_error();
  if (end.problem.empty()) end.problem = fmt::format("the job ended with exit code {}", code);
  end.said = !updates.answer().empty() ? updates.answer() : cancelled ? "(cancelled)" : end.problem;
  return end;
}

}  // namespace pedro
