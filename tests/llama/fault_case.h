#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "support/fault_script.h"

namespace pedro {

/// What a build leaves whose fourth reply, the one behind an edit, meets a fault. Written as
/// "commit", "wip", "nothing", "no job".
enum class Left : std::uint8_t {
  kCommit,   ///< all of it, as if nothing had happened
  kWip,      ///< the edit, as an unfinished commit on the job's branch
  kNothing,  ///< everything as it was
  kNoJob,    ///< the same, and it did not even come to a job
};

/// A case of tests/data/faults.json.
struct FaultCase {
  std::string happening;  ///< its line in docs/server.md
  std::string variant;
  /// As in fault_script.h; the path REPLY is that of a job's replies, and only of those.
  Json rules;
  int exit_code = 0;
  Left left = Left::kCommit;
  std::string error;    ///< is said on stderr
  std::string notice;   ///< stands in the journal
  double limit_s = 60;  ///< or it hangs: five times what the longest take on a machine at rest
  std::string backend = "llamacpp";
  bool by_model = false;                        ///< who says the calls
  std::map<std::string, std::string> settings;  ///< of the environment
  std::vector<std::string> flags = {};          // of the command
};

/// All of the file.
std::vector<FaultCase> fault_cases();

/// The rules of a proxy that makes the fault, and has five calls said otherwise: by the proxy, or
/// by the server's model under a grammar of that one text. They return 0 in the project's main.c.
/// `server` is asked for tokens. Where replies are messages the proxy says all.
std::vector<FaultRule> rules_of(const FaultCase& one, const std::string& server);

}  // namespace pedro
