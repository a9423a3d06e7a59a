#include "policy/permission.h"

namespace pedro::policy {

std::span<const Permission> all_permissions() {
  static constexpr Permission kAll[] = {Permission::kRead, Permission::kWrite, Permission::kExecute,
                                        Permission::kHistory, Permission::kNetwork};
  return kAll;
}

std::string_view to_string(Permission permission) {
  constexpr std::string_view kNames[] = {"read", "write", "execute", "history", "network"};
  return kNames[static_cast<int>(permission)];
}

std::optional<Permission> permission_named(std::string_view name) {
  for (const Permission permission : all_permissions()) {
    if (to_string(permission) == name) return permission;
  }
  return std::nullopt;
}

std::string permission_names() {
  std::string names;
  for (const Permission permission : all_permissions()) {
    if (!names.empty()) names += permission == all_permissions().back() ? " or " : ", ";
    names += to_string(permission);
  }
  return names;
}

}  // namespace pedro::policy
