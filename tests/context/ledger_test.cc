#include "context/ledger.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("ledger: forgets the names of removed exchanges, and keeps the others correct") {
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

TEST_CASE("ledger: a total is exact from when it was measured until anything changes") {
  Ledger ledger;
  const auto fill = [&ledger] {
    ledger.append(Role::kSystem, {{.kind = PartKind::kSystem, .tokens = 5}});
    ledger.append(Role::kAssistant, {{.kind = PartKind::kReply, .tokens = 5}});
    ledger.measured(12);
  };
  struct Change {
    const char* what;
    void (*make)(Ledger&);
  };
  const Change changes[] = {
      {"a message comes in",
       [](Ledger& l) { l.append(Role::kUser, {{.kind = PartKind::kAdvice}}); }},
      {"a part has another text", [](Ledger& l) { l.replace_part(1, 0, {.tokens = 2}); }},
      {"a part comes in", [](Ledger& l) { l.append_part({.kind = PartKind::kNote}); }},
      {"an exchange leaves",
       [](Ledger& l) {
         (void)l.remove_exchanges({false, true});
       }},
      {"it was an estimate", [](Ledger& l) { l.measured(13, false); }},
      {"every exchange was estimated", [](Ledger& l) { l.rescale(20); }},
      {"all leaves", [](Ledger& l) { l.clear(); }},
  };
  for (const Change& change : changes) {
    CAPTURE(change.what);
    ledger.clear();
    fill();
    CHECK(ledger.exact());
    change.make(ledger);
    CHECK_FALSE(ledger.exact());
  }
}

}  // namespace pedro
