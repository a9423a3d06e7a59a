#include "sys/terminal.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sys/descriptor.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

CancelToken* g_cancel = nullptr;  // the only state that a signal handler can reach

// The first signal ends work in an orderly way. A second SIGINT or SIGQUIT comes from an impatient
// user; other signals may repeat for other reasons.
void on_signal(int signal) {
  if (g_cancel == nullptr) return;
  if (g_cancel->signal() == 0) return g_cancel->cancel(signal);
  if (signal != SIGINT && signal != SIGQUIT) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when the handler returns
}

}  // namespace

struct SilentTyping::Before {
  termios settings{};
};

SilentTyping::SilentTyping() {
  auto before = std::make_unique<Before>();
  if (::tcgetattr(STDIN_FILENO, &before->settings) != 0) return;
  termios silent = before->settings;
  silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &silent);
  before_ = std::move(before);
}

SilentTyping::~SilentTyping() {
  if (before_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_->settings);
}

bool is_terminal(StandardStream stream) {
  return isatty(static_cast<int>(stream)) == 1;
}

int terminal_columns(StandardStream stream) {
  winsize size{};
  if (ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

Result<std::string> read_line(const CancelToken& cancel) {
  constexpr std::size_t kMaxTypedBytes = 4096;
  PEDRO_TRY(std::optional<std::string> line, next_line(cancel, kMaxTypedBytes));
  return line ? *std::move(line) : std::string();
}

Result<std::optional<std::string>> next_line(const CancelToken& cancel, std::size_t max_bytes) {
  constexpr int kLookEveryMs = 200;  // in case a signal arrives just before poll()
  std::string line;
  for (;;) {
    if (cancel.cancelled()) return interrupted(cancel);
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&waiting, 1, kLookEveryMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    char c = '\0';
    const long count = ready < 0 ? -1 : read_some(STDIN_FILENO, &c, 1);
    if (count <= 0 && line.empty()) return std::optional<std::string>();
    if (count <= 0 || c == '\n') return std::optional(std::move(line));
    if (line.size() < max_bytes) line += c;
  }
}

bool read_input(std::string& bytes) {
  std::array<char, 64u << 10> buffer;
  const long count = read_some(STDIN_FILENO, buffer.data(), buffer.size());
  if (count > 0) bytes.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

// Without SA_RESTART, a signal interrupts blocking calls, and their callers check the token.
void cancel_on_signals(CancelToken& cancel) {
  g_cancel = &cancel;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction before {};
    const bool known = sigaction(signal, nullptr, &before) == 0;
    if (known && signal == SIGHUP && before.sa_handler == SIG_IGN) continue;  // nohup
    sigaction(signal, &action, nullptr);
  }
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

void ignore_stop_signals() {
  for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) ::signal(signal, SIG_IGN);
}

}  // namespace pedro
