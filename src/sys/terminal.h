#pragma once

#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

enum class StandardStream { kIn = 0, kOut = 1, kError = 2 };

bool is_terminal(StandardStream stream);

/// Columns of the terminal behind `stream`; 80 where it is none or does not say.
int terminal_columns(StandardStream stream);

/// Everything on standard input until its end; an error (kUsage) past `max_bytes`.
Result<std::string> read_standard_input(std::size_t max_bytes);
/// The same of what is no file but can be read: a pipe, a device ("/dev/stdin").
Result<std::string> read_stream(const std::string& path, std::size_t max_bytes);

/// One line from standard input without its newline, "" at its end; nothing behind it is taken.
/// What is longer than 4096 bytes is cut. Error: kInterrupted as soon as `cancel` is set.
Result<std::string> read_line(const CancelToken& cancel);
/// The same with a limit of one's own; nothing at the end.
Result<std::optional<std::string>> next_line(const CancelToken& cancel, std::size_t max_bytes);

/// Makes SIGINT, SIGTERM, SIGHUP and SIGQUIT set `cancel`, and a SIGINT or SIGQUIT after that end
/// the process at once; SIGPIPE do nothing, and SIGHUP where it did nothing before. `cancel` must
/// live as long as the process. Called once, at the start.
void cancel_on_signals(CancelToken& cancel);

}  // namespace pedro
