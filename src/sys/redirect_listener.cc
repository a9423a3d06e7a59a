#include "sys/redirect_listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "sys/interrupted.h"

namespace pedro {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kPath = "/callback";
constexpr int kPoll_ms = 100;
constexpr int kBacklog = 16;

double passed_s(SteadyClock::time_point begun) {
  return std::chrono::duration<double>(SteadyClock::now() - begun).count();
}

bool is_readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, kPoll_ms) > 0;
}

// Reads the head of a request; what arrived in time, if it is too long or never ends.
std::string read_head(int fd, const CancelToken& cancel) {
  std::string head;
  const auto begun = SteadyClock::now();
  while (head.find("\r\n\r\n") == head.npos && head.size() < RedirectListener::kMaxRequestBytes) {
    if (cancel.cancelled() || passed_s(begun) > RedirectListener::kRequest_s) break;
    if (!is_readable(fd)) continue;
    char buffer[4096];
    const long got = read_some(fd, buffer, sizeof buffer);
    if (got <= 0) break;
    head.append(buffer, static_cast<std::size_t>(got));
  }
  return head;
}

// Returns the query of "GET /callback?QUERY HTTP/1.1"; "" for any other request.
std::string query_in(std::string_view head) {
  const std::string begin = fmt::format("GET {}?", kPath);
  if (!head.starts_with(begin) || head.find("\r\n\r\n") == head.npos) return "";
  head.remove_prefix(begin.size());
  return std::string(head.substr(0, head.find_first_of(" \r\n")));
}

void answer(int fd, bool accepted) {
  const std::string_view text = accepted
                                    ? "Received. Return to the terminal; this page may be closed.\n"
                                    : "This is not the expected redirect.\n";
  const std::string reply = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      accepted ? "200 OK" : "404 Not Found", text.size(), text);
  (void)::send(fd, reply.data(), reply.size(), MSG_NOSIGNAL);
}

}  // namespace

Result<RedirectListener> RedirectListener::open() {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  const bool listens = socket.open() && ::bind(socket.get(), plain, size) == 0 &&
                       ::listen(socket.get(), kBacklog) == 0 &&
                       ::getsockname(socket.get(), plain, &size) == 0;
  if (!listens) {
    return Error{ErrorKind::kInternal,
                 "cannot listen on 127.0.0.1 for the browser: " + errno_text(errno)};
  }
  return RedirectListener(std::move(socket), ntohs(address.sin_port));
}

std::string RedirectListener::url() const {
  return fmt::format("http://127.0.0.1:{}{}", port_, kPath);
}

Result<std::string> RedirectListener::wait(double wait_s,
                                           const std::function<bool(std::string_view)>& accepts,
                                           const CancelToken& cancel) {
  const auto begun = SteadyClock::now();
  while (passed_s(begun) < wait_s) {
    if (cancel.cancelled()) return interrupted(cancel);
    if (!is_readable(socket_.get())) continue;
    const Descriptor connection(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.open()) continue;
    std::string query = query_in(read_head(connection.get(), cancel));
    const bool accepted = !query.empty() && accepts(query);
    answer(connection.get(), accepted);
    if (accepted) return query;
  }
  return Error{ErrorKind::kModel, fmt::format("the browser did not return within {} s", wait_s)};
}

}  // namespace pedro
