#include "context/importance.h"

#include <doctest/doctest.h>

#include "context/random_conversation.h"

namespace pedro {
namespace {

struct Call {
  std::string tool;
  std::string target;
  bool ok = true;
  bool changes = false;
  CallKind kind = CallKind::kLook;
};

Ledger ledger_of(const std::vector<Call>& calls) {
  Ledger ledger;
  ledger.append(Role::kSystem, {{.kind = PartKind::kSystem, .tokens = 10}});
  for (const Call& call : calls) {
    ledger.append(Role::kAssistant, {{.kind = PartKind::kReply, .tokens = 10}});
    ContextPart part{.kind = PartKind::kResult, .bytes = 80, .tokens = 20};
    CallFacts facts;
    facts.tool = call.tool;
    facts.target = call.target;
    facts.call = call.tool + " " + call.target;
    facts.ok = call.ok;
    facts.kind = call.kind;
    if (call.changes) facts.changed = {call.target};
    part.facts = std::make_shared<CallFacts>(facts);
    ledger.append(Role::kTool, {part});
  }
  return ledger;
}

}  // namespace

TEST_CASE("importance: an exchange scores for each reason there is") {
  struct Row {
    const char* name;
    std::vector<Call> calls;  // the first one outweighs the second, except by age
    const char* weight;
  };
  for (const Row& row : {
           Row{"a failure that nothing mended",
               {{"bash", "make", false}, {"bash", "ls"}, {"file", "x"}},
               "error"},
           Row{"a file that was changed later",
               {{"file", "a.c"}, {"file", "b.c"}, {"edit", "a.c", true, true}},
               "editing"},
           Row{"what came up again",
               {{"file", "a.c"}, {"file", "b.c"}, {"git", "a.c"}},
               "referenced"},
           Row{"a note",
               {{"context", "n", true, false, CallKind::kNote}, {"file", "b.c"}, {"f", "x"}},
               "note"},
       }) {
    CAPTURE(row.name);
    const Ledger ledger = ledger_of(row.calls);
    const ImportanceWeights only = *read_weights(
        *parse_json(fmt::format(R"({{"recency":0,"role":0,"error":0,"editing":0,"referenced":0,)"
                                R"("note":0,"size":0,"{}":2}})",
                                row.weight)));
    const std::vector<double> scores = score_exchanges(ledger, only);
    REQUIRE(scores.size() == 4);
    CHECK(scores[1] == doctest::Approx(2));
    CHECK(scores[2] == doctest::Approx(0));
  }
}

TEST_CASE("importance: of similar exchanges, the newer one is more important") {
  const std::vector<double> scores =
      score_exchanges(ledger_of({{"a", "1"}, {"a", "2"}, {"a", "3"}}), {});
  CHECK(scores[1] < scores[2]);
  CHECK(scores[2] < scores[3]);
}

TEST_CASE("importance: a failure stays until the same succeeds") {
  const Budget budget{1000, 0, 0};
  const Ledger failed = ledger_of({{"bash", "make", false}, {"file", "x"}, {"file", "y"}});
  CHECK(find_pins(failed, budget) ==
        std::vector<Pin>{Pin::kHead, Pin::kError, Pin::kNone, Pin::kNewest});
  const Ledger mended = ledger_of({{"bash", "make", false}, {"bash", "make"}, {"file", "y"}});
  CHECK(find_pins(mended, budget) ==
        std::vector<Pin>{Pin::kHead, Pin::kNone, Pin::kNone, Pin::kNewest});
  // Pins the newest failures up to 50 tokens in total, here one of 30 tokens each.
  const Ledger many =
      ledger_of({{"bash", "a", false}, {"bash", "b", false}, {"bash", "c", false}, {"file", "y"}});
  CHECK(find_pins(many, {401, 0, 0}) ==
        std::vector<Pin>{Pin::kHead, Pin::kNone, Pin::kNone, Pin::kError, Pin::kNewest});
}

TEST_CASE("importance: the last call of an exchange decides if its failure is open") {
  for (const bool ends_well : {true, false}) {
    CAPTURE(ends_well);
    Ledger ledger;
    ledger.append(Role::kSystem, {{.kind = PartKind::kSystem}});
    ledger.append(Role::kAssistant, {{.kind = PartKind::kReply}});
    for (const bool ok : {!ends_well, ends_well}) {
      CallFacts facts;
      facts.tool = "bash";
      facts.target = "make";
      facts.ok = ok;
      ContextPart part{.kind = PartKind::kResult};
      part.facts = std::make_shared<CallFacts>(std::move(facts));
      ledger.append(Role::kTool, {std::move(part)});
    }
    CHECK(open_errors(ledger) == std::vector<bool>{false, !ends_well});
  }
}

TEST_CASE("importance: a failure that is too large to stay takes no other with it") {
  Ledger ledger;
  const auto add = [&](const char* target, long long tokens) {
    CallFacts facts;
    facts.tool = "bash";
    facts.target = target;
    facts.ok = tokens == 0;
    ledger.append(Role::kAssistant, {{.kind = PartKind::kReply}});
    ContextPart result{.kind = PartKind::kResult, .tokens = tokens};
    result.facts = std::make_shared<CallFacts>(std::move(facts));
    ledger.append(Role::kUser, {std::move(result)});
  };
  ledger.append(Role::kSystem, {{.kind = PartKind::kSystem}});
  add("small", 30);
  add("large", 90);
  add("newest", 0);
  CHECK(find_pins(ledger, {401, 0, 0}) ==
        std::vector<Pin>{Pin::kHead, Pin::kError, Pin::kNone, Pin::kNewest});
}

TEST_CASE("importance: weights are read by name") {
  CHECK(read_weights(*parse_json(R"({"error": 7})"))->error == 7);
  CHECK(read_weights(Json::object())->error == ImportanceWeights().error);
  CHECK(read_weights(*parse_json(R"({"eror": 7})")).error().message ==
        "unknown weight 'eror' (did you mean 'error'?); there are: recency, role, error, editing, "
        "referenced, note, size");
  CHECK(read_weights(*parse_json(R"({"error": -1})")).error().message ==
        "error: expected a number from 0 to 100, got -1");
  CHECK(!read_weights(*parse_json(R"({"error": "2"})")).ok());
}

}  // namespace pedro
