#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "sys/http.h"

namespace pedro {

/// A port of this machine on which a kind of model server listens by default.
struct UsualPort {
  int port = 0;
  std::string_view kind;  ///< a value of model.type
};

/// llama-server's new and old port, Ollama, LM Studio, vLLM; in the order of preference.
std::span<const UsualPort> usual_ports();

/// A model server that answered.
struct LocalServer {
  std::string kind;  ///< a value of model.type
  std::string url;
};

/// Asks all ports at once for their lists of models. Returns the servers that answered, in the
/// order of `ports`. Takes at most 300 ms. The answer decides the kind, so a llama-server counts as
/// one on vLLM's port too. A page of some other service does not count. Sends no key. `connect`
/// makes the connection of a thread.
std::vector<LocalServer> find_local_servers(std::span<const UsualPort> ports,
                                            const std::function<std::unique_ptr<Http>()>& connect,
                                            const CancelToken& cancel);

}  // namespace pedro
