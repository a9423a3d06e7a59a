#pragma once

#include <atomic>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace pedro {

struct LoopbackRequest {
  std::string method;
  std::string target;                          ///< "/path?query"
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

/// The event after the bytes of a reply.
enum class AfterReply {
  kKeepOpen,  ///< the next request may follow on the same connection
  kClose,
  kReset,   ///< the connection is reset; the announced length of a body is one byte too long
  kStall,   ///< no more bytes until the client closes the connection
  kRepeat,  ///< the chunks repeat until the client closes the connection
  kDown,    ///< all connections end and the port is closed for `down_s`; the reply is not sent
};

struct LoopbackReply {
  int status = 200;
  std::vector<std::string> headers = {};  ///< "Name: value"
  std::string body = {};
  std::vector<std::string> chunks = {};  ///< instead of `body`: sent one by one, unchanged
  std::string raw = {};                  ///< instead of all above: the exact bytes to send
  AfterReply after = AfterReply::kKeepOpen;
  double down_s = 0;
};

/// An HTTP/1.1 server for tests on a free port of 127.0.0.1. The handler runs on the thread of the
/// connection. Reads only bodies with a Content-Length. Stops when the object is destroyed.
class LoopbackServer {
 public:
  using Handler = std::function<LoopbackReply(const LoopbackRequest&)>;

  explicit LoopbackServer(Handler handler);
  /// Answers with the replies in order, then repeats the last one.
  LoopbackServer(std::initializer_list<LoopbackReply> replies);
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer();

  /// "http://127.0.0.1:PORT" + `target`.
  std::string url(std::string_view target = "/") const;
  int port() const { return port_; }
  std::vector<LoopbackRequest> requests() const;
  int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int fd);
  bool answer(int fd, const LoopbackRequest& request);
  void stay_down();

  Handler handler_;
  int port_ = 0;
  std::atomic<int> listener_{-1};
  std::atomic<int> connections_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<double> down_s_{0};  // above 0: seconds to stay down
  mutable std::mutex mutex_;       // guards the members below
  std::vector<LoopbackRequest> requests_;
  std::vector<int> sockets_;  // closed at the end, so that no descriptor number is reused
  std::vector<std::thread> servers_;
  std::thread acceptor_;
};

/// A port of 127.0.0.1 without a listener.
int unused_port();

}  // namespace pedro
