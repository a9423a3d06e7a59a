#include "support/loopback_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/text.h"

namespace pedro {
namespace {

// Listens on `port`. For 0 it takes a free port and stores its number in `port`.
int listen_on(int& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const int one = 1;
  socklen_t length = sizeof address;
  const bool good = fd >= 0 && ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                    ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                    ::listen(fd, 64) == 0 &&
                    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  if (!good) std::abort();                        // these tests need a loopback network
  if (port == 0) port = ntohs(address.sin_port);  // written once; later, other threads read it
  return fd;
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Appends the next bytes to `buffer`. Returns false at the end of the connection.
bool receive(int fd, std::string& buffer) {
  char piece[16 * 1024];
  const ssize_t count = ::recv(fd, piece, sizeof piece, 0);
  if (count <= 0) return false;
  buffer.append(piece, static_cast<std::size_t>(count));
  return true;
}

LoopbackRequest parse_head(std::string_view head) {
  LoopbackRequest request;
  bool first = true;
  for (std::string_view line : split_lines(head)) {
    line = trim(line);
    if (first) {
      const std::vector<std::string_view> words = split(line, ' ');
      request.method = words[0];
      if (words.size() > 1) request.target = words[1];
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      request.headers[to_lower(line.substr(0, colon))] = trim(line.substr(colon + 1));
    }
    first = false;
  }
  return request;
}

/// Reads the next request. Keeps the bytes after it in `buffer`.
std::optional<LoopbackRequest> read_request(int fd, std::string& buffer) {
  std::size_t head_end = 0;
  while ((head_end = buffer.find("\r\n\r\n")) == std::string::npos) {
    if (!receive(fd, buffer)) return std::nullopt;
  }
  LoopbackRequest request = parse_head(std::string_view(buffer).substr(0, head_end));
  buffer.erase(0, head_end + 4);
  const std::string length = request.headers["content-length"];
  const std::size_t body_bytes = length.empty() ? 0 : std::stoul(length);
  while (buffer.size() < body_bytes) {
    if (!receive(fd, buffer)) return std::nullopt;
  }
  request.body = buffer.substr(0, body_bytes);
  buffer.erase(0, body_bytes);
  return request;
}

std::string head_of(const LoopbackReply& reply) {
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Said so\r\n";
  for (const std::string& header : reply.headers) head += header + "\r\n";
  if (reply.chunks.empty()) {
    const std::size_t missing = reply.after == AfterReply::kKeepOpen ? 0 : 1;
    const std::size_t announced = reply.body.size() + missing;
    if (reply.after != AfterReply::kClose) {
      head += "Content-Length: " + std::to_string(announced) + "\r\n";
    }
  } else {
    head += "Transfer-Encoding: chunked\r\n";
  }
  return head + "\r\n";
}

std::string chunk_of(std::string_view bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

bool send_reply(int fd, const LoopbackReply& reply, bool head_only) {
  if (!reply.raw.empty()) return send_all(fd, reply.raw);
  if (!send_all(fd, head_of(reply))) return false;
  if (head_only) return true;  // the client would read a body as the next answer
  if (reply.chunks.empty()) return send_all(fd, reply.body);
  for (const std::string& chunk : reply.chunks) {
    if (!send_all(fd, chunk_of(chunk))) return false;
  }
  const bool ends = reply.after == AfterReply::kKeepOpen || reply.after == AfterReply::kClose;
  return !ends || send_all(fd, "0\r\n\r\n");
}

// Closing the socket sends the reset. The descriptor number then refers to /dev/null, because it is
// closed again later.
void reset(int fd) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  const int harmless = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(harmless, fd);
  ::close(harmless);
}

LoopbackServer::Handler in_order(std::vector<LoopbackReply> replies) {
  auto next = std::make_shared<std::atomic<std::size_t>>(0);  // shared by the copies of the handler
  return [replies = std::move(replies), next](const LoopbackRequest&) {
    return replies[std::min(next->fetch_add(1), replies.size() - 1)];
  };
}

}  // namespace

LoopbackServer::LoopbackServer(Handler handler)
    : handler_(std::move(handler)), listener_(listen_on(port_)) {
  acceptor_ = std::thread([this] { accept_all(); });
}

LoopbackServer::LoopbackServer(std::initializer_list<LoopbackReply> replies)
    : LoopbackServer(in_order(replies)) {}

LoopbackServer::~LoopbackServer() {
  stopping_ = true;
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept()
  acceptor_.join();
  for (const int fd : sockets_) ::shutdown(fd, SHUT_RDWR);
  for (std::thread& server : servers_) server.join();
  for (const int fd : sockets_) ::close(fd);
  ::close(listener_);
}

std::string LoopbackServer::url(std::string_view target) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string(target);
}

std::vector<LoopbackRequest> LoopbackServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void LoopbackServer::accept_all() {
  while (!stopping_) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) {
      stay_down();
      continue;
    }
    const int one = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    ++connections_;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(fd);
    servers_.emplace_back([this, fd] { serve(fd); });
  }
}

// Waits until the server must listen again.
void LoopbackServer::stay_down() {
  const double down_s = down_s_.exchange(0);
  if (down_s <= 0) return;
  ::close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (const int fd : sockets_) ::shutdown(fd, SHUT_RDWR);
  }
  using SteadyClock = std::chrono::steady_clock;
  const auto until = SteadyClock::now() + std::chrono::duration<double>(down_s);
  while (!stopping_ && SteadyClock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  listener_ = listen_on(port_);
}

void LoopbackServer::serve(int fd) {
  std::string buffer;
  while (const std::optional<LoopbackRequest> request = read_request(fd, buffer)) {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(*request);
    }
    if (!answer(fd, *request)) return;
  }
}

/// Returns true if the connection stays open.
bool LoopbackServer::answer(int fd, const LoopbackRequest& request) {
  const LoopbackReply reply = handler_(request);
  if (reply.after == AfterReply::kDown) {
    down_s_ = reply.down_s;
    ::shutdown(listener_, SHUT_RDWR);
    return false;
  }
  if (!send_reply(fd, reply, request.method == "HEAD")) return false;
  switch (reply.after) {
    case AfterReply::kKeepOpen:
      return true;
    case AfterReply::kClose:
      ::shutdown(fd, SHUT_RDWR);
      return false;
    case AfterReply::kReset:
      reset(fd);
      return false;
    case AfterReply::kRepeat: {
      bool open = true;
      for (std::size_t i = 0; open && !stopping_; i = (i + 1) % reply.chunks.size()) {
        open = send_all(fd, chunk_of(reply.chunks[i]));
      }
      return false;
    }
    case AfterReply::kDown:
      return false;
    case AfterReply::kStall: {
      std::string ignored;
      while (receive(fd, ignored)) {
      }
      return false;
    }
  }
  return false;
}

int unused_port() {
  int port = 0;
  ::close(listen_on(port));
  return port;
}

}  // namespace pedro
