#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

enum class FileKind { kMissing, kFile, kFolder, kSymlink, kOther };

struct FileInfo {
  FileKind kind = FileKind::kMissing;
  std::uint64_t bytes = 0;
  std::uint32_t mode = 0;     ///< permission bits only (07777)
  long long modified_ns = 0;  ///< since 1970-01-01 UTC
  long long changed_ns = 0;   ///< of the last change of its bytes or permissions; cannot be set
};

struct FolderEntry {
  std::string name;
  FileKind kind = FileKind::kFile;  ///< of the entry itself: a link is kSymlink
};

/// The disk. Paths are absolute or relative to the process's working folder; nothing is expanded.
/// Errors (kInternal) are "PATH: REASON" with the reason from strerror(). RealFileSystem is
/// thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// Describes the target of `path`, with links followed. Never fails: inaccessible paths are
  /// kMissing.
  virtual FileInfo info(const std::string& path) const = 0;
  /// Describes `path` itself: a link is kSymlink.
  virtual FileInfo link_info(const std::string& path) const = 0;

  /// Returns all bytes of a regular file. Errors: longer than `max_bytes`; not a regular file
  /// (reading a pipe or a device might never end).
  virtual Result<std::string> read(const std::string& path, std::uint64_t max_bytes) const = 0;
  /// Returns the first bytes of a regular file, at most `max_bytes`.
  virtual Result<std::string> read_begin(const std::string& path,
                                         std::uint64_t max_bytes) const = 0;

  /// Replaces or creates `path` atomically: a crash leaves the old or the new bytes, never a
  /// mixture. Writes, syncs and renames a temporary file in the same folder. Keeps the mode of an
  /// existing file, and its owner if permitted. Follows links. A new file gets `mode` less the
  /// umask. The folder must exist. Other hard links keep the old bytes. Errors: the old file is
  /// write-protected, or not a regular file.
  virtual Status write_atomic(const std::string& path, std::string_view bytes,
                              std::uint32_t mode = 0644) = 0;

  /// Appends and flushes to the operating system. Creates a missing file (0600).
  virtual Status append(const std::string& path, std::string_view bytes) = 0;
  /// Returns after all data written to the file is on the disk (fsync).
  virtual Status sync(const std::string& path) = 0;
  /// Truncates a regular file to its first `bytes`. Errors: the file is shorter.
  virtual Status cut(const std::string& path, std::uint64_t bytes) = 0;

  /// Creates the folder and all missing parents, each with `mode`. Succeeds if it exists already.
  virtual Status make_folders(const std::string& path, std::uint32_t mode = 0755) = 0;
  /// Creates the folder. Returns false if the name exists already. Of several concurrent callers,
  /// exactly one gets true. The parent must exist.
  virtual Result<bool> make_new_folder(const std::string& path, std::uint32_t mode = 0755) = 0;
  /// Returns the entries of a folder sorted by name, without "." and "..".
  virtual Result<std::vector<FolderEntry>> list(const std::string& path) const = 0;
  /// Removes a file or a link, but not a folder.
  virtual Status remove(const std::string& path) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  /// Returns the target of a link verbatim. Errors: `path` is not a link.
  virtual Result<std::string> read_link(const std::string& path) const = 0;
  /// Returns the path with all links resolved, without "." and "..". Errors: the path is missing.
  virtual Result<std::string> canonical(const std::string& path) const = 0;
};

/// The real disk. When a call returns, the names it created are on the disk. New or replaced files
/// and new folders survive a crash of the machine.
class RealFileSystem : public FileSystem {
 public:
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
  /// Creates a file with these bytes. Returns false if the name exists already. Of several
  /// concurrent callers, on several hosts too, exactly one gets true.
  Result<bool> make_new_file(const std::string& path, std::string_view bytes, std::uint32_t mode);
  /// Returns true if this process may create entries in a folder, by its effective rights.
  bool can_write(const std::string& folder) const;
  /// Changes the process's working folder.
  Status enter(const std::string& folder);
};

/// A file system in memory, for single-threaded tests. Paths are absolute with '/'. Links and modes
/// are not modeled. A folder exists if a file is below it, or if a call created it.
class FakeFileSystem : public FileSystem {
 public:
  FileInfo info(const std::string& path) const override;
  FileInfo link_info(const std::string& path) const override { return info(path); }
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

  std::map<std::string, std::string> files;
  std::map<std::string, bool> folders;
  std::string fail_writes_with;  ///< if set, every change fails with this reason
};

/// Joins `folder` and `name`: "a" + "b" is "a/b". Returns an absolute `name` unchanged.
std::string join_path(std::string_view folder, std::string_view name);
/// Returns the last component: "b" of "a/b".
std::string_view base_name(std::string_view path);
/// Returns the path up to the last component: "a" of "a/b", "." of "b", "/" of "/b".
std::string_view folder_name(std::string_view path);
/// Removes ".", repeated slashes, a trailing slash, and each ".." with the component before it:
/// "a/c" of "a/./b//../c/". Works on the text alone and ignores links. Returns "." if nothing is
/// left.
std::string normal_path(std::string_view path);
/// Returns true if `path` is `folder` or below it. Compares the text of normal, absolute paths.
bool is_below(std::string_view path, std::string_view folder);

}  // namespace pedro
