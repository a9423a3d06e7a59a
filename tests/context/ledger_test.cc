#include "context/ledger.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("ledger: names of what left are forgotten, those of what stays stay right") {
  Ledger ledger;
  ledger.append(Role::kSystem, {{.kind = PartKind::kSystem}});
  const auto result = [](int number) {
    CallFacts facts;
    facts.tool = "file";
    facts.target = "src/" + std::to_string(number) + ".cc";
    ContextPart part{.kind = PartKind::kResult};
    part.facts = std::make_shared<CallFacts>(std::move(facts));
    return part;
  };
  for (int i = 0; i < 1000; ++i) {
    ledger.append(Role::kAssistant, {{.kind = PartKind::kReply}});
    ledger.append(Role::kUser, {result(i)});
    if (ledger.exchanges().size() < 20) continue;
    std::vector<bool> gone(ledger.exchanges().size(), false);
    for (std::size_t j = 1; j + 2 < gone.size(); ++j) gone[j] = true;
    (void)ledger.remove_exchanges(gone);
    CHECK(ledger.names() < 60);
    const std::size_t last = ledger.messages().size() - 1;
    CHECK(ledger.parts(last).front().names.target < ledger.names());
    CHECK(ledger.parts(last).front().names.target != ledger.parts(last - 2).front().names.target);
  }
}

}  // namespace pedro
