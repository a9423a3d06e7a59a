#pragma once

#include <array>
#include <string_view>

namespace pedro::mcp {

/// The version without a handshake: each request has the version and the client's abilities.
inline constexpr std::string_view kStatelessVersion = "2026-07-28";

/// The versions with a handshake, the preferred one first. Their tools differ in nothing that
/// matters here.
inline constexpr std::array<std::string_view, 4> kSessionVersions = {"2025-11-25", "2025-06-18",
                                                                     "2025-03-26", "2024-11-05"};

/// The JSON-RPC error of a stateless server for a version that it does not speak, or a handshake.
inline constexpr int kUnsupportedVersion = -32022;

/// The JSON-RPC error of a stateless server for missing or wrong headers.
inline constexpr int kHeaderMismatch = -32020;

/// The JSON-RPC error for an unknown method.
inline constexpr int kMethodNotFound = -32601;

}  // namespace pedro::mcp
