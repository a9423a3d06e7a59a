// Reads any bytes as a shell line. Its words must be the same when quoted, no other line may be
// allowed, and a denied command before or after it must be found.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "policy/policy.h"

namespace {

using namespace pedro;
using namespace pedro::policy;

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
  const auto commands = plain_commands(line);
  const Decision decision = policy.decide({"bash run", Permission::kExecute, line});
  require(decision.findings.empty() == (decision.verdict == Verdict::kAllow),
          "a decision has no reason", line);
  require(commands || decision.verdict != Verdict::kAllow, "unread and allowed", line);
  if (!commands) return 0;
  std::string quoted;
  for (const CommandWords& command : *commands) {
    require(!command.empty(), "a command has no words", line);
    for (const std::string& word : command) quoted += quoted_for_shell(word) + " ";
    quoted += ";";
  }
  if (quoted.size() <= kMaxPlainBytes) {
    require(plain_commands(quoted) == commands, "other words when quoted", line);
  }
  for (const std::string& both : {"rm x\n" + line, line + "\nrm x"}) {
    const bool is_plain = plain_commands(both).has_value();
    require(!is_plain ||
                policy.decide({"bash run", Permission::kExecute, both}).verdict == Verdict::kDeny,
            "a denied command is lost", both);
  }
  return 0;
}
