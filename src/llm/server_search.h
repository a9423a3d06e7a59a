#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "sys/http.h"

namespace pedro {

/// A model server on this machine.
struct LocalServer {
  std::string kind;  ///< a value of model.type
  std::string url;
};
/// The default ports of llama-server (new and old), Ollama, LM Studio and vLLM on 127.0.0.1; in the
/// order of preference.
std::vector<LocalServer> usual_servers();
/// The time in which a server must answer, in seconds.
inline constexpr double kSearchTimeout_s = 0.28;

/// Asks all addresses at once for their lists of models. Returns the servers that answered, in the
/// order of `expected`. Takes at most `timeout_s`. The answer decides the kind, so a llama-server
/// counts as one on vLLM's port too. A page of some other service does not count. Sends no key.
/// `connect` makes the connection of a thread.
std::vector<LocalServer> find_local_servers(std::span<const LocalServer> expected,
                                            const std::function<std::unique_ptr<Http>()>& connect,
                                            const CancelToken& cancel,
                                            double timeout_s = kSearchTimeout_s);

}  // namespace pedro
