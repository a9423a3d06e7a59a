#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A FileSystem confined to one folder, even while other processes rename folders or create links.
/// The folder is opened once, and the kernel resolves each path below it: openat2(2) with
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS. Before Linux 5.6, paths are opened component by
/// component, without links. So no path can leave the folder between a check and its use. Links
/// that stay inside are followed. Files in a folder `.git` are not opened, and pedrocli's own
/// settings are read-only. Paths are absolute. Errors are those of FileSystem; a path outside
/// yields "PATH: outside of ROOT". Thread-safe.
///
/// `info` reports paths outside as kMissing. `canonical` resolves links that lead outside too,
/// because it opens nothing.
class ConfinedFileSystem : public FileSystem {
 public:
  enum class Resolver {
    kBest,          ///< openat2 if the kernel supports it
    kByComponents,  ///< the method for old kernels, for tests
  };

  /// Opens `root`, which must be a folder, under its canonical path.
  static Result<std::unique_ptr<ConfinedFileSystem>> open(const std::string& root,
                                                          Resolver resolver = Resolver::kBest);
  ~ConfinedFileSystem() override;
  ConfinedFileSystem(const ConfinedFileSystem&) = delete;
  ConfinedFileSystem& operator=(const ConfinedFileSystem&) = delete;

  /// `hear` is called after each call that may have changed a file, in the caller's thread. Must be
  /// set before other threads use the object.
  void on_change(std::function<void()> hear) { on_change_ = std::move(hear); }

  FileInfo info(const std::string& path) const override;
  FileInfo link_info(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t max_bytes) const override;
  Result<std::string> read_begin(const std::string& path, std::uint64_t max_bytes) const override;
  Status write_atomic(const std::string& path, std::string_view bytes, std::uint32_t mode) override;
  Status append(const std::string& path, std::string_view bytes) override;
  Status sync(const std::string& path) override;
  Status cut(const std::string& path, std::uint64_t bytes) override;
  Status make_folders(const std::string& path, std::uint32_t mode) override;
  Result<bool> make_new_folder(const std::string& path, std::uint32_t mode) override;
  Result<std::vector<FolderEntry>> list(const std::string& path) const override;
  Status remove(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Result<std::string> read_link(const std::string& path) const override;
  Result<std::string> canonical(const std::string& path) const override;

 private:
  class Root;
  explicit ConfinedFileSystem(std::unique_ptr<Root> root);

  Status heard(Status done) const;

  std::unique_ptr<Root> root_;
  std::function<void()> on_change_;
};

}  // namespace pedro
