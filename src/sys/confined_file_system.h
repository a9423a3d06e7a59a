#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// The disk below one folder, whatever is done there meanwhile: the folder is opened once, and what
/// is read, written, listed or removed is opened below it by the kernel (openat2(2) with
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS; before Linux 5.6 component by component, without
/// links). So between a look at a path and its use nothing can lead out. Links that stay inside are
/// followed; nothing is opened in a folder `.git`, and nothing changed in pedrocli's own settings.
/// Paths are absolute; errors are those of
/// FileSystem, of a path outside "PATH: outside of ROOT". Thread-safe.
///
/// `info` of what lies outside is kMissing. `canonical` says where links lead, also outside: it
/// opens nothing.
class ConfinedFileSystem : public FileSystem {
 public:
  enum class Resolver {
    kBest,          ///< openat2 where the kernel has it
    kByComponents,  ///< as on old kernels; for tests
  };

  /// `root` must be a folder; it is made canonical.
  static Result<std::unique_ptr<ConfinedFileSystem>> open(const std::string& root,
                                                          Resolver resolver = Resolver::kBest);
  ~ConfinedFileSystem() override;
  ConfinedFileSystem(const ConfinedFileSystem&) = delete;
  ConfinedFileSystem& operator=(const ConfinedFileSystem&) = delete;

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

  std::unique_ptr<Root> root_;
};

}  // namespace pedro
