#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "git/repository.h"

namespace pedro {

/// A snapshot of the files with which a fault was reproduced. The reproduction is void after they
/// change. For a new file, the whole content counts. For a file of the base, only the added lines
/// count, since the fault may be in the same file.
class FaultEvidence {
 public:
  FaultEvidence() = default;

  /// Collects the files that differ from `base`. Skips files that already differed `before`,
  /// generated and built files, and the paths in `without`. `written` are paths relative to the
  /// root that tools wrote, since git ignores some files. Errors: git's.
  static Result<FaultEvidence> take(const Repository& repository, const std::string& base,
                                    const std::vector<ChangedFile>& before,
                                    const std::set<std::string>& without,
                                    const std::set<std::string>& written);

  /// Removes the files that the command itself wrote. Call it after a run of the command.
  void leave_out_written(const Repository& repository);

  /// Returns the paths of files that have changed since take(), sorted.
  std::vector<std::string> changed(const Repository& repository) const;

  Json json() const;
  static FaultEvidence from(const Json& json);

 private:
  struct File {
    std::string path;
    std::uint64_t content = 0;           // see FileContent; unused if `lines` is set
    std::multiset<std::uint64_t> lines;  // hashes of the added lines
    long long modified_ns = 0;
  };
  std::vector<File> files_;
};

}  // namespace pedro
