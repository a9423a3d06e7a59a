#include "acp_turn.h"

#include <csignal>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr long long kStopGraceMs = 60'000;
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

void AcpTurn::stop() {
  const long long now = clock_.ticks_ms();
  if (!is_stopping()) {
    stopped_ms_ = now;
    program_->signal(SIGTERM);
  } else if (now - stopped_ms_ > kStopGraceMs) {
    program_->signal(SIGKILL);
  }
}

}  // namespace pedro
