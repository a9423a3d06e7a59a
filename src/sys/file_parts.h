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

// Shared parts of the file systems on the real disk. For the sources of sys/ only.

constexpr int kMaxLinks = 40;            ///< the kernel's limit for one path
constexpr int kMaxTemporaryNames = 256;  ///< leftovers of crashed processes with the same id

/// Returns the error "PATH: REASON" (kInternal). An errno value is converted to its message.
Error failure(const std::string& path, std::string_view reason);
Error failure(const std::string& path, int error);

FileInfo info_of(const struct stat& status);

/// Returns an error unless `fd` is a regular file. Sets `status`.
Status require_regular(const std::string& path, int fd, struct stat& status);

/// Returns all bytes of a regular file; an error if there are more than `max_bytes`.
Result<std::string> read_regular(const std::string& path, int fd, std::uint64_t max_bytes);

/// Returns the first bytes of a regular file, at most `max_bytes`.
Result<std::string> read_begin_of_regular(const std::string& path, int fd, std::uint64_t max_bytes);

/// Appends to a regular file. `fd` was opened with O_APPEND.
Status append_regular(const std::string& path, int fd, std::string_view bytes);

/// See FileSystem; `fd` was opened for writing.
Status sync_regular(const std::string& path, int fd);
Status cut_regular(const std::string& path, int fd, std::uint64_t bytes);

/// Returns the entries of an open folder, as FileSystem::list() does.
Result<std::vector<FolderEntry>> list_folder(const std::string& path, Descriptor folder);

/// Returns the target of the link `name` in an open folder (or AT_FDCWD). Errors name `path`.
Result<std::string> read_link_in(const std::string& path, int folder, const std::string& name);

/// Copies owner and mode of the replaced file to the new one. Returns 0, or an errno value.
int copy_identity(int fd, const struct stat& old);
/// Calls fsync(2). Returns 0 (also if the file system cannot sync), or an errno value.
int sync_file(int fd);
/// Writes a folder's entries to the disk. Returns 0 (also without permission to open the folder),
/// or an errno value.
int sync_folder(const std::string& path);

/// Opens a file, or creates it (0600) and syncs its folder.
Result<Descriptor> open_or_make(const std::string& path, int flags);

}  // namespace pedro
