#include "status_line.h"

#include <cstdio>

#include "command.h"
#include "sys/terminal.h"
#include "tools/terminal_text.h"

namespace pedro {
namespace {

void write_now(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

StatusLine::StatusLine(const GlobalOptions& global)
    : terminal_(is_terminal(StandardStream::kError)), quiet_(global.quiet) {}

void StatusLine::show(const std::string& text) {
  if (terminal_) return tick(text);
  if (quiet_ || text == last_) return;
  last_ = text;
  print_error("pedrocli: " + text);
}

void StatusLine::tick(const std::string& text) {
  if (!terminal_ || quiet_ || text == last_) return;
  last_ = text;
  write_now("\r\x1b[K" + fit_columns(text, terminal_columns(StandardStream::kError) - 1));
}

void StatusLine::clear() {
  if (terminal_ && !last_.empty()) write_now("\r\x1b[K");
  last_.clear();
}

}  // namespace pedro
