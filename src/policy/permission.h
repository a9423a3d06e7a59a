#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pedro::policy {

/// The access that an action requires, from harmless to dangerous.
enum class Permission {
  kRead,
  kWrite,
  kExecute,
  kHistory,  ///< commits and branches
  kNetwork,
};
std::string_view to_string(Permission permission);
/// Returns all permissions, from harmless to dangerous.
std::span<const Permission> all_permissions();
std::optional<Permission> permission_named(std::string_view name);
/// Returns "read, write, ... or network" for messages.
std::string permission_names();

}  // namespace pedro::policy
