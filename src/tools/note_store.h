#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// What the model is told where a text is cut: "context recall has it as out-1".
std::string kept_note(const std::string& id);

/// What the model set aside: notes it wrote, and outputs that were too long for the conversation.
/// Texts lie as files in one folder; nothing is kept in memory but the list. Not thread-safe.
class NoteStore {
 public:
  /// `folder` is made at the first write. Borrows `files`.
  NoteStore(FileSystem& files, std::string folder) : files_(&files), folder_(std::move(folder)) {}

  /// Keeps a long output; its id is "out-3", counted from 1 in this job.
  Result<std::string> spill(std::string_view text);

  /// Keeps a note under a name the model chose ([A-Za-z0-9_-], at most 64); a later one of the
  /// same name replaces it.
  Status note(const std::string& name, std::string_view text);

  /// The whole text behind an id or a name; an error that lists what there is otherwise.
  Result<std::string> recall(const std::string& id) const;

  /// Something that was kept since this was asked for last. `text` is that of a note, which may be
  /// replaced later; of an output "".
  struct Kept {
    std::string id;
    std::string text;
  };
  std::vector<Kept> take_new() { return std::exchange(new_, {}); }
  /// What take_new() gave in an earlier process that worked with the same folder.
  Status restore(const Kept& kept);

  /// Ids and names, in the order they were first kept.
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
