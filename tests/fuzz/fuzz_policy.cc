// Reads any bytes as a shell line. Both dialects must read it to its end. They must find the plain
// commands before and after it, or report an unreadable part.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "fuzz/require.h"
#include "tools/policy.h"

namespace {

using namespace pedro;

bool runs_rm(const ListedCommand& command) {
  return command.argv.size() == 2 && command.argv[0] == ShellWord{"rm"} &&
         command.argv[1] == ShellWord{"x"};
}

bool finds_rm(const CommandList& list) {
  return !list.unread.empty() || std::any_of(list.commands.begin(), list.commands.end(), runs_rm);
}

Policy make_policy() {
  Policy policy;
  const Status added = policy.add(Json::object(), {{"rm", "deny"}, {"git push", "ask"}});
  require(added.ok(), "the rules are not read", "");
  return policy;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Policy policy = make_policy();
  const std::string line(reinterpret_cast<const char*>(data), size);
  const bool swallows = line.find("<<") != std::string::npos || line.ends_with('\\');
  for (const ShellDialect dialect : {ShellDialect::kPosix, ShellDialect::kBash}) {
    const CommandList list = list_commands(line, dialect);
    for (const ListedCommand& command : list.commands) {
      require(!command.argv.empty(), "a command has no words", line);
      require(shown(command).size() <= 300, "a command is shown at length", line);
    }
    const PolicyRequest request{"bash run", Permission::kExecute, line, dialect};
    const PolicyDecision decision = policy.decide(request);
    require(decision.findings.empty() == (decision.verdict == Verdict::kAllow),
            "a decision has no reason", line);
    const bool denied = std::any_of(list.commands.begin(), list.commands.end(), runs_rm) &&
                        std::none_of(list.commands.begin(), list.commands.end(),
                                     [](const ListedCommand& one) { return one.name_unsure; });
    require(!denied || decision.verdict == Verdict::kDeny, "what is denied is not", line);
    require(list.unread.empty() || decision.verdict != Verdict::kAllow, "unread and allowed", line);
    require(finds_rm(list_commands("rm x\n" + line, dialect)), "lost in front of it", line);
    require(swallows || finds_rm(list_commands(line + "\nrm x", dialect)), "lost behind it", line);
  }
  return 0;
}
