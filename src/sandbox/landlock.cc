#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace pedro {
namespace {

// The kernel's interface in full: the headers of the build may be older than the running kernel.
constexpr unsigned kAskVersion = 1;
constexpr int kPathBeneath = 1;

constexpr std::uint64_t kExecute = 1u << 0;
constexpr std::uint64_t kWriteFile = 1u << 1;
constexpr std::uint64_t kReadFile = 1u << 2;
constexpr std::uint64_t kReadFolder = 1u << 3;
constexpr std::uint64_t kMakeCharacterDevice = 1u << 6;
constexpr std::uint64_t kMakeBlockDevice = 1u << 11;
constexpr std::uint64_t kRefer = 1u << 13;        // ABI 2
constexpr std::uint64_t kTruncate = 1u << 14;     // ABI 3
constexpr std::uint64_t kDeviceIoctl = 1u << 15;  // ABI 5
constexpr std::uint64_t kFirstRights = (1u << 13) - 1;

constexpr std::uint64_t kTcp = 3;     // bind and connect, ABI 4
constexpr std::uint64_t kScopes = 3;  // abstract sockets and signals, ABI 6

struct RulesetAttributes {
  std::uint64_t file_system = 0;
  std::uint64_t net = 0;
  std::uint64_t scoped = 0;
};

struct __attribute__((packed)) PathAttributes {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

std::uint64_t rights_of(int abi) {
  std::uint64_t rights = kFirstRights;
  if (abi >= 2) rights |= kRefer;
  if (abi >= 3) rights |= kTruncate;
  if (abi >= 5) rights |= kDeviceIoctl;
  return rights;
}

std::size_t attribute_bytes(int abi) {
  if (abi >= 6) return sizeof(RulesetAttributes);
  return abi >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

std::uint64_t allowed_by(const LandlockRule& rule) {
  if (rule.access == PathAccess::kRead) return kExecute | kReadFile | kReadFolder;
  return ~(kMakeCharacterDevice | kMakeBlockDevice);
}

/// Removes the rights that apply to folders only.
std::uint64_t for_file(std::uint64_t rights) {
  return rights & (kExecute | kWriteFile | kReadFile | kTruncate | kDeviceIoctl);
}

int add_rule(int ruleset, const LandlockRule& rule, std::uint64_t handled) {
  PathAttributes attributes;
  attributes.parent = ::open(rule.path.c_str(), O_PATH | O_CLOEXEC);
  if (attributes.parent < 0) return errno == ENOENT || errno == EACCES ? 0 : errno;
  struct stat status {};
  int error = ::fstat(attributes.parent, &status) == 0 ? 0 : errno;
  attributes.allowed = allowed_by(rule) & handled;
  if (!S_ISDIR(status.st_mode)) attributes.allowed = for_file(attributes.allowed);
  if (error == 0 && ::syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &attributes, 0) != 0) {
    error = errno;
  }
  ::close(attributes.parent);
  return error;
}

}  // namespace

int landlock_abi() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

int restrict_by_landlock(int abi, const std::vector<LandlockRule>& rules, bool net) {
  const RulesetAttributes attributes{.file_system = rights_of(abi),
                                     .net = abi >= 4 && !net ? kTcp : 0,
                                     .scoped = abi >= 6 ? kScopes : 0};
  const int ruleset = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, attribute_bytes(abi), 0));
  if (ruleset < 0) return errno;
  int error = 0;
  for (const LandlockRule& rule : rules) {
    error = add_rule(ruleset, rule, attributes.file_system);
    if (error != 0) break;
  }
  if (error == 0 && ::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) error = errno;
  ::close(ruleset);
  return error;
}

}  // namespace pedro
