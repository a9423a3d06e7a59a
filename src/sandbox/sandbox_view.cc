#include "sandbox/sandbox_view.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::array kSystemFolders = {"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                       "/libx32", "/etc", "/opt",  "/nix", "/gnu",   "/sys"};
constexpr std::array kSecrets = {
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow",   "/etc/gshadow-",    "/etc/ssl/private",
    "/etc/ssh",    "/etc/sudoers", "/etc/sudoers.d", "/etc/krb5.keytab", "/etc/wireguard"};
/// Devices that every program may write to, including terminals.
constexpr std::array kDevices = {"/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
                                 "/dev/urandom", "/dev/tty",  "/dev/ptmx", "/dev/pts"};

void add_system_folder(const RealFileSystem& files, const std::string& folder, SandboxView& view) {
  const FileInfo info = files.link_info(folder);
  if (info.kind == FileKind::kFolder) view.read.push_back(folder);
  if (info.kind != FileKind::kSymlink) return;
  if (auto target = files.read_link(folder)) view.links.emplace_back(folder, *std::move(target));
}

/// Adds `path` if nothing below it is hidden, else each of its entries in the same way.
void add_reads(const RealFileSystem& files, const SandboxView& view, const std::string& path,
               std::vector<LandlockRule>& rules) {
  std::vector<std::string> left = {path};
  while (!left.empty()) {
    const std::string at = std::move(left.back());
    left.pop_back();
    const auto matters = [&](const std::string& hidden) { return is_below(hidden, at); };
    const auto is_hidden = [&](const std::string& hidden) { return is_below(at, hidden); };
    if (std::any_of(view.hidden.begin(), view.hidden.end(), is_hidden)) continue;
    if (std::none_of(view.hidden.begin(), view.hidden.end(), matters)) {
      rules.push_back({at, PathAccess::kRead});
      continue;
    }
    const auto entries = files.list(at);
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      if (entry.kind != FileKind::kSymlink) left.push_back(join_path(at, entry.name));
    }
  }
}

}  // namespace

bool is_written(const SandboxView& view, const std::string& path) {
  return std::any_of(view.write.begin(), view.write.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

bool is_shown(const SandboxView& view, const std::string& path) {
  return is_written(view, path) ||
         std::any_of(view.read.begin(), view.read.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

SandboxView system_view() {
  const RealFileSystem files;
  SandboxView view;
  for (const char* folder : kSystemFolders) add_system_folder(files, folder, view);
  if (::geteuid() != 0) return view;
  for (const char* secret : kSecrets) {
    if (files.link_info(secret).kind != FileKind::kMissing) view.hidden.emplace_back(secret);
  }
  return view;
}

std::vector<LandlockRule> landlock_rules(const SandboxView& view) {
  const RealFileSystem files;
  std::vector<LandlockRule> rules;
  for (const std::string& path : view.read) add_reads(files, view, path, rules);
  rules.push_back({"/proc", PathAccess::kRead});
  for (const char* device : kDevices) rules.push_back({device, PathAccess::kWrite});
  for (const std::string& path : view.write) rules.push_back({path, PathAccess::kWrite});
  return rules;
}

}  // namespace pedro
