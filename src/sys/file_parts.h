#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"

namespace pedro {

// What the file systems that work on the real disk share. For the sources of sys/ only.

constexpr int kMaxLinks = 40;            ///< what the kernel follows in one path
constexpr int kMaxTemporaryNames = 256;  ///< left by as many crashes of processes with our id

/// "PATH: REASON"; of a value of errno what it means.
Error failure(const std::string& path, std::string_view reason);
Error failure(const std::string& path, int error);

FileInfo info_of(const struct stat& status);

/// An error where `fd` is anything but a regular file; else its `status`.
Status require_regular(const std::string& path, int fd, struct stat& status);

/// All bytes of a regular file; an error where there are more than `max_bytes`.
Result<std::string> read_regular(const std::string& path, int fd, std::uint64_t max_bytes);

/// Its first bytes, at most so many.
Result<std::string> read_begin_of_regular(const std::string& path, int fd, std::uint64_t max_bytes);

/// Writes behind the end of a regular file that was opened for that.
Status append_regular(const std::string& path, int fd, std::string_view bytes);

/// See FileSystem; `fd` was opened for writing.
Status sync_regular(const std::string& path, int fd);
Status cut_regular(const std::string& path, int fd, std::uint64_t bytes);

/// The entries of an open folder, as FileSystem::list() has them.
Result<std::vector<FolderEntry>> list_folder(const std::string& path, Descriptor folder);

/// What the link `name` in an open folder (or AT_FDCWD) says; of `path` in the error.
Result<std::string> read_link_in(const std::string& path, int folder, const std::string& name);

/// Gives the new file the owner and the mode of the one it replaces. 0, or the value of errno.
int copy_identity(int fd, const struct stat& old);
/// 0, or the value of errno.
int sync_file(int fd);
/// The names in a folder are on the disk then. 0, also where we may not open the folder, or the
/// value of errno.
int sync_folder(const std::string& path);

/// Opens a file, or makes it (0600), and then its name is on the disk.
Result<Descriptor> open_or_make(const std::string& path, int flags);

}  // namespace pedro
