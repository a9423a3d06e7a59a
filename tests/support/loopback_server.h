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

/// What happens once the bytes of a reply are out.
enum class AfterReply {
  kKeepOpen,  ///< the next request may follow on the same connection
  kClose,
  kReset,   ///< the connection breaks; a body is announced one byte longer than it is
  kStall,   ///< nothing more comes, until the client goes away
  kRepeat,  ///< the chunks come again and again, until the client goes away
  kDown,    ///< all connections end and nobody listens for `down_s`; nothing of the reply is sent
};

struct LoopbackReply {
  int status = 200;
  std::vector<std::string> headers = {};  ///< "Name: value"
  std::string body = {};
  std::vector<std::string> chunks = {};  ///< instead of `body`: sent one by one, as they are
  std::string raw = {};                  ///< instead of all above: these bytes
  AfterReply after = AfterReply::kKeepOpen;
  double down_s = 0;
};

/// An HTTP/1.1 server on 127.0.0.1 for tests, on a free port. The handler runs on the thread of the
/// connection. Reads bodies with Content-Length only. Ends with the object.
class LoopbackServer {
 public:
  using Handler = std::function<LoopbackReply(const LoopbackRequest&)>;

  explicit LoopbackServer(Handler handler);
  /// Answers with the replies in their order, and with the last of them ever after.
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
  std::atomic<double> down_s_{0};  // above 0: to be stayed down for
  mutable std::mutex mutex_;       // of what follows
  std::vector<LoopbackRequest> requests_;
  std::vector<int> sockets_;  // closed at the end, so that no number is given out twice
  std::vector<std::thread> servers_;
  std::thread acceptor_;
};

/// A port of 127.0.0.1 that nothing listens on.
int unused_port();

}  // namespace pedro
