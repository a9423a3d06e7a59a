#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "secrets/secret_mask.h"
#include "sys/file_system.h"

namespace pedro {

/// Finds a project's files with secrets, ignored by git or not: `.env` files, private keys in PEM,
/// programs' credential files. Adds their values to a mask. Borrows its reference arguments. Use it
/// in the job's thread.
class SecretFiles {
 public:
  static constexpr std::size_t kMaxFolders = 4096;  ///< searched, upper levels first
  static constexpr std::size_t kMaxFiles = 256;
  static constexpr std::uint64_t kMaxFileBytes = 1u << 20;  ///< read from each file

  /// `roots` are canonical. `tell` receives each message once: secrets that are not read or masked.
  SecretFiles(const FileSystem& files, const Clock& clock, std::vector<std::string> roots,
              SecretMask& mask, std::function<void(const std::string&)> tell)
      : files_(files),
        clock_(clock),
        roots_(std::move(roots)),
        mask_(mask),
        tell_(std::move(tell)) {}

  /// Reads files that are new or changed since the last call. Lists a folder again only if its
  /// modification time differs. Values that a file contained once stay masked. Skips folders of
  /// builds and package managers, and links to folders. Follows links to files inside the project.
  void look();

 private:
  enum class Kind { kNone, kEnvironment, kKey, kCredentials };
  struct Stamp {
    std::uint64_t bytes = 0;
    long long modified_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Folder {
    long long modified_ns = 0;  // at the listing; 0: list it again
    std::vector<std::string> folders = {};
    std::vector<std::pair<std::string, Kind>> files = {};  // files with secrets
  };
  static Kind kind_of(std::string_view folder, std::string_view name);
  const Folder& listed(const std::string& path);
  void look_below(const std::string& root);
  void read(const std::string& root, const std::string& path, Kind kind);
  void tell_once(const std::string& text);

  const FileSystem& files_;
  const Clock& clock_;
  std::vector<std::string> roots_;
  SecretMask& mask_;
  std::function<void(const std::string&)> tell_;
  std::map<std::string, Folder> listed_;
  std::map<std::string, Stamp> read_;
  std::set<std::string> told_;
};

}  // namespace pedro
