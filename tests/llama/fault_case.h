#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "support/fault_script.h"

namespace pedro {

/// The expected result of a build whose fourth reply, after an edit, meets a fault. Written as
/// "commit", "wip", "nothing", "no job".
enum class Left : std::uint8_t {
  kCommit,   ///< all of the work, as without a fault
  kWip,      ///< the edit, as an unfinished commit on the job's branch
  kNothing,  ///< no change
  kNoJob,    ///< no change, and no job was started
};

/// A case of tests/data/faults.json.
struct FaultCase {
  std::string happening;  ///< its row in docs/server.md
  std::string variant;
  /// The format is that of fault_script.h. The path REPLY matches only a job's replies.
  Json rules;
  int exit_code = 0;
  Left left = Left::kCommit;
  std::string error;    ///< a text on stderr
  std::string notice;   ///< a text in the journal
  double limit_s = 60;  ///< else it hangs: five times the usual maximum when idle
  std::string backend = "llamacpp";
  bool by_model = false;                        ///< the model writes the calls, not the proxy
  std::map<std::string, std::string> settings;  ///< environment variables
  std::vector<std::string> flags = {};          // flags of the command
};

/// All cases of the file.
std::vector<FaultCase> fault_cases();

/// The rules of a proxy that causes the fault and provides five calls. Either the proxy writes
/// them, or the server's model under a grammar of exactly that text. The calls change the project's
/// main.c to return 0. `server` tokenizes texts. In message formats the proxy writes all replies.
std::vector<FaultRule> rules_of(const FaultCase& one, const std::string& server);

}  // namespace pedro
