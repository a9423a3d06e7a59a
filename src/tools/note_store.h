#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// Returns the note at a truncation, for the model: "context recall returns it as out-1".
std::string kept_note(const std::string& id);

/// Texts that the model can recall: its notes, and outputs too long for the conversation. Stored as
/// files in one folder; memory holds their names, and new notes. Not thread-safe.
class NoteStore {
 public:
  /// `folder` is created on the first write. Borrows `files`.
  NoteStore(FileSystem& files, std::string folder) : files_(&files), folder_(std::move(folder)) {}

  /// Stores a long output and returns its id, such as "out-3", counted from 1 in this job.
  Result<std::string> spill(std::string_view text);

  /// Stores a note under a name that the model chose ([A-Za-z0-9_-], at most 64 bytes). Replaces an
  /// earlier note of that name. Errors: kRefused for an invalid name; those of the disk.
  Status note(const std::string& name, std::string_view text);

  /// Returns the whole text of an id or a name. Errors: kRefused for unknown ones, with a list of
  /// those that exist; those of the disk.
  Result<std::string> recall(const std::string& id) const;

  /// A text stored since the last take_new(). `text` is that of a note, which may be replaced
  /// later; "" for an output.
  struct Kept {
    std::string id;
    std::string text;
  };
  std::vector<Kept> take_new() { return std::exchange(new_, {}); }
  /// Restores an entry of take_new() from an earlier process with the same folder.
  Status restore(const Kept& kept);

  /// Returns ids and names, in order of their first use.
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  Status keep(const std::string& id, std::string_view text);
  void add(const std::string& id);

  FileSystem* files_;
  std::string folder_;
  std::vector<std::string> ids_;
  int spilled_ = 0;
  std::vector<Kept> new_;
};

}  // namespace pedro
