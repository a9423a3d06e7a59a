#include "mcp/stdio_transport.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro::mcp {
namespace {

constexpr double kWriteLimit_s = 10;
constexpr int kMaxOtherLines = 1000;  // in one exchange: some servers print a greeting
constexpr std::size_t kShownLineBytes = 100;

}  // namespace

Result<std::unique_ptr<Transport>> StdioTransport::start(ProcessRunner& runner, Command command,
                                                         const Clock& clock) {
  PEDRO_TRY(auto program, LineProgram::start(runner, std::move(command)));
  return std::unique_ptr<Transport>(new StdioTransport(std::move(program), clock));
}

Status StdioTransport::notify(const Json& message, const CancelToken& cancel) {
  return program_->write_line(to_line(message), kWriteLimit_s, cancel);
}

Status StdioTransport::exchange(const Json& message, const Patience& patience,
                                const OnMessage& on_message, const CancelToken& cancel) {
  const long long begun_ms = clock_.ticks_ms();
  PEDRO_RETURN_IF_ERROR(notify(message, cancel));
  for (int others = 0;;) {
    const double taken_s = static_cast<double>(clock_.ticks_ms() - begun_ms) / 1000;
    const double left_s = std::min(patience.idle_s, patience.total_s - taken_s);
    PEDRO_TRY(const auto line, program_->read_line(left_s, cancel));
    if (!line) {
      return Error{ErrorKind::kModel, left_s < patience.idle_s
                                          ? fmt::format("no answer within {} s", patience.total_s)
                                          : fmt::format("silent for {} s", patience.idle_s)};
    }
    const std::string_view text = trim(*line);
    if (!text.starts_with('{') && !text.starts_with('[')) {
      if (++others <= kMaxOtherLines) continue;
      return Error{ErrorKind::kModel,
                   fmt::format("prints lines that are no messages: '{}'",
                               make_printable(truncate_utf8(text, kShownLineBytes)))};
    }
    PEDRO_TRY(const Json messages, messages_in(text));
    for (const Json& one : messages) {
      PEDRO_TRY(const Heard heard, on_message(one));
      if (!heard.reply.is_null()) {
        PEDRO_RETURN_IF_ERROR(notify(heard.reply, cancel));
      }
      if (heard.is_done) return {};
    }
  }
}

}  // namespace pedro::mcp
