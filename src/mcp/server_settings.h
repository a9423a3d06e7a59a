#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "sys/environment.h"

namespace pedro::mcp {

/// The settings of a server: a program, or an address.
struct ServerSettings {
  std::string command;  ///< "" for a server with an address
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::string url;
  std::vector<std::string> headers;  ///< "Name: value"
  std::string token_file;            ///< a file with a bearer token; "" for that of a sign-in
  std::string client_id;             ///< of a client registered by hand, for a sign-in
  std::string client_secret;
  bool net = false;                ///< the program may use the network
  std::vector<std::string> read;   ///< readable paths besides the system and the project
  std::vector<std::string> write;  ///< paths that it may change
};

using ServerTable = std::map<std::string, ServerSettings, std::less<>>;  ///< by name

/// Reads an object `mcpServers` in the format of other agents: `command`, `args`, `env`, or `url`
/// and `headers`. `type` and `oauth` (`clientId`, `clientSecret`) are optional. pedrocli's own keys
/// are `net`, `read`, `write` and `token_file`. Ignores keys of other agents. Replaces "${NAME}"
/// and "${NAME:-text}" by variables of `environment`. Errors (kConfig): "PLACE: mcpServers: NAME:
/// ...". A name has at most 32 letters, digits, '-' and '_'.
Result<ServerTable> read_servers(std::string_view place, const Json& servers,
                                 const Environment& environment);

}  // namespace pedro::mcp
