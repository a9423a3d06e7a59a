#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "agent/repository.h"
#include "base/json.h"

namespace pedro {

/// The files that a fault was shown with, as they were then: a command shows nothing any more where
/// what it runs has become something else. Of a new file that is all of it; of one that the base
/// holds, the lines that were added to it, for the fault itself may lie in the same file.
class FaultEvidence {
 public:
  FaultEvidence() = default;

  /// What in the work tree differs from `base`, but for what did so `before`, what is generated or
  /// built, and the paths in `without`. `written` are paths below the root that tools wrote, for
  /// git does not look at all files.
  static Result<FaultEvidence> take(const Repository& repository, const std::string& base,
                                    const std::vector<ChangedFile>& before,
                                    const std::set<std::string>& without,
                                    const std::set<std::string>& written);

  /// To be called behind a run of the command: what that has written is made by it, and is none of
  /// what it shows the fault with.
  void leave_out_written(const Repository& repository);

  /// Paths of files that are not any more as they were. Sorted.
  std::vector<std::string> changed(const Repository& repository) const;

  Json json() const;
  static FaultEvidence from(const Json& json);

 private:
  struct File {
    std::string path;
    std::uint64_t content = 0;           // see FileContent; where there are no lines
    std::multiset<std::uint64_t> lines;  // hashes of lines that were added
    long long modified_ns = 0;
  };
  std::vector<File> files_;
};

}  // namespace pedro
