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
  long long modified_ns = 0;  ///< since 1970
};

struct FolderEntry {
  std::string name;
  FileKind kind = FileKind::kFile;  ///< of the entry itself: a link is kSymlink
};

/// The disk. Paths are absolute or relative to the process' folder; nothing is expanded. Errors
/// (kInternal) are "PATH: reason", the reason as strerror() has it. RealFileSystem is thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// What `path` is, links followed. Never fails: what cannot be looked at is kMissing.
  virtual FileInfo info(const std::string& path) const = 0;
  /// What `path` itself is: a link is kSymlink.
  virtual FileInfo link_info(const std::string& path) const = 0;

  /// All bytes of a regular file; an error where it is longer than `max_bytes`, or is no regular
  /// file (a pipe or a device would never end).
  virtual Result<std::string> read(const std::string& path, std::uint64_t max_bytes) const = 0;
  /// Its first bytes, at most so many, however long it is.
  virtual Result<std::string> read_begin(const std::string& path,
                                         std::uint64_t max_bytes) const = 0;

  /// Replaces or creates `path` so that a crash leaves the old or the new bytes, never a mixture:
  /// a temporary file beside it is written, synced and renamed. Keeps the mode of the file that
  /// was there (and its owner where that is allowed) and follows a link to it; a new file gets
  /// `mode` less the umask. The folder must exist. Refused where the old file is write-protected
  /// or no regular file. Other hard links to it keep the old bytes.
  virtual Status write_atomic(const std::string& path, std::string_view bytes,
                              std::uint32_t mode = 0644) = 0;

  /// Appends and flushes to the operating system; creates the file (0600) where it is missing.
  virtual Status append(const std::string& path, std::string_view bytes) = 0;
  /// Returns when all that was written to the file is on the disk (fsync).
  virtual Status sync(const std::string& path) = 0;
  /// Removes all but the first `bytes` of a regular file, which has no fewer.
  virtual Status cut(const std::string& path, std::uint64_t bytes) = 0;

  /// Creates the folder and those above it, each with `mode`; no error where it is there.
  virtual Status make_folders(const std::string& path, std::uint32_t mode = 0755) = 0;
  /// Creates the folder; false where something has that name. Of several that try at the same
  /// moment one gets true. The folder above must exist.
  virtual Result<bool> make_new_folder(const std::string& path, std::uint32_t mode = 0755) = 0;
  /// The entries of a folder sorted by name, without "." and "..".
  virtual Result<std::vector<FolderEntry>> list(const std::string& path) const = 0;
  /// Removes a file or a link, not a folder.
  virtual Status remove(const std::string& path) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  /// What a link says, as it is; an error where `path` is none.
  virtual Result<std::string> read_link(const std::string& path) const = 0;
  /// The path with every link followed and no "." or ".."; an error where it is missing.
  virtual Result<std::string> canonical(const std::string& path) const = 0;
};

/// What it makes has its name on the disk when the call returns: a file that is written, begun or
/// replaced, or a folder, is still there after a crash of the machine.
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
  /// Whether this process may make something in a folder, by its effective rights.
  bool can_write(const std::string& folder) const;
  /// Makes the folder the process' own, which relative paths are of from here on.
  Status enter(const std::string& folder);
};

/// In memory, for tests of one thread. Paths are absolute with '/'; links and modes are not
/// modelled. Folders exist where a file lies below them or make_folders made them.
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
  std::string fail_writes_with;  ///< when set, every change fails with this reason
};

/// `name` below `folder`: "a" + "b" is "a/b"; an absolute `name` stands alone.
std::string join_path(std::string_view folder, std::string_view name);
/// The last component: "b" of "a/b".
std::string_view base_name(std::string_view path);
/// What stands before the last component: "a" of "a/b", "." of "b", "/" of "/b".
std::string_view folder_name(std::string_view path);
/// Without ".", repeated slashes, a slash at the end, and ".." where something stands before it:
/// "a/c" of "a/./b//../c/". By the text alone: links are not looked at. "." where nothing is left.
std::string normal_path(std::string_view path);

}  // namespace pedro
