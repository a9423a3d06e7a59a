#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "chat/image.h"
#include "json_rpc/message.h"

namespace pedro::acp {

/// The content of a prompt.
struct Prompt {
  std::string text;      ///< of the user, printable; linked files appear as paths
  std::string material;  ///< embedded files, each below its name; "" if there are none
  std::vector<Image> images;
};

/// Limits in bytes. A command line holds the text.
inline constexpr std::size_t kMaxPromptBytes = 64u << 10;
inline constexpr std::size_t kMaxMaterialBytes = 240u << 10;

/// Reads the content blocks of a prompt for a session in the folder `cwd`. Errors: blocks of other
/// kinds than text, images, links and embedded text; no text; more than a limit.
std::variant<Prompt, json_rpc::RpcError> read_prompt(const Json& blocks, std::string_view cwd);

/// Splits a prompt "/build Add a test" into its command, "build", and the rest, "Add a test".
/// Returns "" and the prompt if `names` does not contain the command.
std::pair<std::string, std::string> split_command(std::string_view text,
                                                  const std::vector<std::string>& names);

/// A message of the user, and the answer.
struct Exchange {
  std::string user;
  std::string agent;
};

/// Selects the newest exchanges that fit into `max_bytes`; shortens the oldest of them in the
/// middle. Returns them in order.
std::vector<Exchange> newest_exchanges(const std::vector<Exchange>& all, std::size_t max_bytes);

}  // namespace pedro::acp
