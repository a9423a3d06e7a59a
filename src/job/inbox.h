#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// The begin of the notice about a message, in the journal and on the terminal.
inline constexpr std::string_view kUserSays = "the user says: ";

/// Messages of the user to a job, in `inbox.jsonl` of its folder: one object {"text"} per line.
/// Other processes append while the job reads. Incomplete or damaged lines are ignored.
///
///     Inbox::add(files, folder, "use the integer functions");   // pedrocli tell
///     for (const std::string& text : *inbox.take()) ...         // the job, before a round
class Inbox {
 public:
  static constexpr std::size_t kMaxTextBytes = 64u << 10;
  static constexpr std::uint64_t kMaxBytes = 16u << 20;

  /// `folder`: the job's. Borrows the file system.
  Inbox(const FileSystem& files, std::string_view folder);

  /// Errors (kUsage): the message is empty, or longer than kMaxTextBytes.
  static Status check(std::string_view text);
  /// Appends a message. Errors: those of check(); kLimit if the inbox would exceed kMaxBytes.
  static Status add(FileSystem& files, std::string_view folder, std::string_view text);

  /// Returns the messages that were not taken before. Reads the file only if it has grown.
  Result<std::vector<std::string>> take();

  /// The bytes of the file that were taken.
  std::uint64_t taken_bytes() const { return taken_; }
  void skip_to(std::uint64_t bytes) { taken_ = bytes; }

 private:
  const FileSystem& files_;
  std::string path_;
  std::uint64_t taken_ = 0;
};

}  // namespace pedro
