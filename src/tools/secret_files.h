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
#include "base/secret_mask.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// The files of a project that hold secrets, whether git ignores them or not: `.env` and its like,
/// private keys in PEM, and what programs keep credentials in. Their values go to a mask. Borrows
/// all it is given; belongs to the thread that runs the job.
class SecretFiles {
 public:
  static constexpr std::size_t kMaxFolders = 4096;  ///< that are looked into, the upper ones first
  static constexpr std::size_t kMaxFiles = 256;
  static constexpr std::uint64_t kMaxFileBytes = 1u << 20;  ///< that are read of each

  /// `roots` are canonical. What is not looked at or not hidden is said to `tell`, once.
  SecretFiles(const FileSystem& files, const Clock& clock, std::vector<std::string> roots,
              SecretMask& mask, std::function<void(const std::string&)> tell)
      : files_(files),
        clock_(clock),
        roots_(std::move(roots)),
        mask_(mask),
        tell_(std::move(tell)) {}

  /// Reads what is new or has changed since the last time; a folder whose time is what it was is
  /// not listed again. A value that a file had once stays
  /// hidden. Folders that builds and package managers fill are left out, and links to folders; a
  /// link to a file counts, as far as it stays in the project.
  void look();

 private:
  enum class Kind { kNone, kEnvironment, kKey, kCredentials };
  struct Stamp {
    std::uint64_t bytes = 0;
    long long modified_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Folder {
    long long modified_ns = 0;  // when it was listed; 0: it may have changed since, unnoticed
    std::vector<std::string> folders = {};
    std::vector<std::pair<std::string, Kind>> files = {};  // those that have secrets
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

/// Runs commands, and looks behind each for secrets that it has put into files.
class SecretWatchRunner : public ProcessRunner {
 public:
  /// Borrows both.
  SecretWatchRunner(ProcessRunner& commands, SecretFiles& secrets)
      : commands_(commands), secrets_(secrets) {}

  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override {
    Result<ProcessResult> result = commands_.run(command, cancel);
    secrets_.look();
    return result;
  }
  std::string find(const std::string& name) const override { return commands_.find(name); }

 private:
  ProcessRunner& commands_;
  SecretFiles& secrets_;
};

}  // namespace pedro
