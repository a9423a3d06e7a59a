#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mcp/access_token.h"
#include "mcp/protocol.h"
#include "mcp/transport.h"
#include "sys/http.h"

namespace pedro::mcp {

/// The address of a server.
struct HttpAddress {
  std::string url;
  std::vector<std::string> headers = {};  ///< "Name: value"
};

/// A server at one address ("streamable HTTP"). Each message is a POST. The answer is JSON or a
/// stream of server-sent events, which is continued if it breaks. Repeats the session id that the
/// server assigns. Opens no stream for messages without a request.
class HttpTransport : public Transport {
 public:
  /// Borrows all. `replies` sends while `http` receives. `token` may be null; a token that the
  /// server refuses is renewed once per exchange.
  HttpTransport(Http& http, Http& replies, HttpAddress address, AccessToken* token = nullptr)
      : http_(http), replies_(replies), address_(std::move(address)), token_(token) {}
  /// Ends the session, if there is one.
  ~HttpTransport() override;

  Status exchange(const Json& message, const Patience& patience, const OnMessage& on_message,
                  const CancelToken& cancel) override;
  Status notify(const Json& message, const CancelToken& cancel) override;
  void use_version(std::string_view version) override { version_ = version; }
  bool repeats_parameters() const override { return version_ == kStatelessVersion; }
  void use_headers(std::vector<std::string> lines) override { call_headers_ = std::move(lines); }

 private:
  HttpRequest request_for(const Json& message, const Patience& patience) const;
  HttpRequest request_after(const std::string& event_id, const Patience& patience) const;
  Result<HttpResponse> send(const Json& message, const Patience& patience, const BodySink& sink,
                            const CancelToken& cancel);
  Status take_refusal(const HttpResponse& response, const Json& id, const OnMessage& on_message);

  Http& http_;
  Http& replies_;
  HttpAddress address_;
  std::string version_;
  std::string session_;
  std::vector<std::string> call_headers_;  // of calls of tools
  AccessToken* token_;
  std::string bearer_;  // of the requests; "" if there is none
};

}  // namespace pedro::mcp
