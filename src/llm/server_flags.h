#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// Returns the free memory of all devices in the output of --list-devices, in bytes:
/// "  CUDA0: NVIDIA RTX (24217 MiB, 23600 MiB free)". Other lines do not count.
std::uint64_t free_bytes_of_devices(std::string_view listed);

}  // namespace pedro
