#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "llm/model_file.h"
#include "sys/machine.h"

namespace pedro {

/// The flags of a llama-server, from the text of its --help. Versions differ, and an unknown flag
/// ends the server.
class ServerFlags {
 public:
  explicit ServerFlags(std::string help) : help_(std::move(help)) {}

  /// Returns true if the help has `flag`, such as "--jinja", as a whole word.
  bool has(std::string_view flag) const { return find(flag) != std::string::npos; }
  /// Returns true if the first lines about `flag` name `value`: offers("--spec-type", "ngram-mod").
  bool offers(std::string_view flag, std::string_view value) const;

 private:
  std::size_t find(std::string_view flag) const;

  std::string help_;
};

/// Returns the free memory of all devices in the output of --list-devices, in bytes. Example:
/// "  CUDA0: NVIDIA RTX (24217 MiB, 23600 MiB free)". Other lines do not count.
std::uint64_t free_bytes_of_devices(std::string_view listed);

/// The user's part of a plan. 0 and "" let the plan choose.
struct ServeWishes {
  long long context_tokens = 0;
  int slots = 0;
  int port = 0;                  ///< of 127.0.0.1; 0: listens on `socket`
  std::string socket = {};       ///< absolute path; ends with ".sock"
  std::string slot_folder = {};  ///< for saved slots
  std::string key_file = {};     ///< file with the key that clients must send
};

/// The flags of a llama-server for one model, and their reasons in figures.
struct ServePlan {
  std::vector<std::string> flags;  ///< without the program
  std::string url;                 ///< "unix:/…/model.sock" or "http://127.0.0.1:PORT"
  long long context_tokens = 0;    ///< window of a slot; 0: the server chooses it
  int slots = 1;
};

/// Returns the flags for a model and a machine. `device_bytes`: free memory of graphics devices.
///
/// - The window is the largest usual one, up to 65,536 tokens, whose cache fits with the weights.
///   Below 16,384 tokens, a cache in q8_0 gives more of them.
/// - With four cores, a second slot for short requests at the same time shares the cache of the
///   first (--kv-unified). Slots that the user asks for have a whole window each.
/// - Flags that the server does not have are left out.
///
/// Errors: kModel, with figures, if the weights and the smallest window do not fit. kUsage if the
/// wished window exceeds the one of the training.
Result<ServePlan> plan_server(const ModelFile& model, const Machine& machine,
                              std::uint64_t device_bytes, const ServerFlags& server,
                              const ServeWishes& wishes);

/// Returns the flags for a model that the server downloads: OWNER/REPO[:QUANT]. Its size is
/// unknown, so the server chooses the window, unless it is wished. Error (kUsage): `repository` has
/// another form.
Result<ServePlan> plan_download(const std::string& repository, const Machine& machine,
                                std::uint64_t device_bytes, const ServerFlags& server,
                                const ServeWishes& wishes);

}  // namespace pedro
