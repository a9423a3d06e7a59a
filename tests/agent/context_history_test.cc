#include "agent/context_history.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "agent/context_json.h"
#include "context/compaction_report.h"
#include "context/random_conversation.h"
#include "job/journal.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

// A job whose conversation is compacted whenever that is due, and its journal.
struct Job {
  explicit Job(int seed) : random(seed, 60) {
    REQUIRE(files.make_folders("/job", 0700).ok());
    rules.stub_tokens = 6;
    for (int round = 0; round < 60; ++round) {
      write(appended_json(random.conversation.ledger(), heard));
      heard = random.conversation.ledger().last_id();
      if (is_due(random.conversation.ledger(), budget)) compact();
      written += random.add_exchange();
    }
    write(appended_json(random.conversation.ledger(), heard));
  }

  void compact() {
    Conversation& conversation = random.conversation;
    const auto plan = plan_compaction(conversation.ledger(), budget, rules);
    REQUIRE(plan.ok());
    CompactionReport report = describe(*plan, conversation.ledger(), budget);
    std::vector<WrittenPart> stubs;
    for (const auto& one : plan->cleared) {
      WrittenPart stub{PartKind::kResult, std::string(24, 's'), false, "out-9"};
      stub.facts = conversation.ledger().parts(one.message)[one.part].facts;
      stubs.push_back(std::move(stub));
    }
    (void)conversation.compact(*plan, std::move(stubs), {});
    report.after = conversation.ledger().total();
    REQUIRE(journal.context_compacted(compacted_json(report)).ok());
    ++compactions;
  }

  void write(const Json& fields) { REQUIRE(journal.context_appended(fields).ok()); }

  FakeFileSystem files;
  FakeClock clock;
  Journal journal{files, clock, "/job"};
  RandomConversation random;
  Budget budget{3000, 300, 0, 0.85, 0.35};
  CompactionRules rules;
  MessageId heard = 0;
  int compactions = 0;
  long long written = 0;  // tokens of the model's
};

}  // namespace

TEST_CASE("context history: sums of what a journal says do not overflow") {
  FakeFileSystem files;
  constexpr long long kHuge = std::numeric_limits<long long>::max();
  const auto appended = [&](int id, const char* role, const char* kind) {
    const Json part = {{"kind", kind}, {"tokens", kHuge}};
    Json message = {{"id", id}, {"role", role}};
    message["parts"] = Json::array({part, part});
    Json event = {{"type", "context.appended"}, {"tokens", kHuge}};
    event["messages"] = Json::array({message});
    return to_line(event) + "\n";
  };
  files.files["/job/journal.jsonl"] = appended(1, "system", "system") +
                                      appended(2, "assistant", "reply") +
                                      appended(3, "assistant", "reply");
  const auto history = ContextHistory::read(files, "/job/journal.jsonl");
  REQUIRE(history.ok());
  CHECK(history->now().total() == 100'000'000'000);
  CHECK(history->now().parts(2)[1].tokens == 100'000'000'000);
}

TEST_CASE("context history: what a reply says of its prompt takes the place of an estimate") {
  for (const bool estimated : {false, true}) {
    CAPTURE(estimated);
    FakeFileSystem files;
    const std::string about = estimated ? R"(,"estimated":true)" : "";
    files.files["/job/journal.jsonl"] =
        R"({"type":"context.appended","tokens":1697,"messages":[{"id":1,"role":"system","parts":[{"kind":"system","tokens":1697}]}])" +
        about + "}\n" +
        R"({"type":"turn.completed","usage":{"input_tokens":1611},"tokens":{"window":8000}})"
        "\n"
        R"({"type":"context.appended","tokens":1922,"messages":[{"id":2,"role":"assistant","parts":[{"kind":"reply","tokens":43}]},{"id":3,"role":"user","parts":[{"kind":"result","tokens":268}]}])" +
        about + "}\n";
    const auto history = ContextHistory::read(files, "/job/journal.jsonl");
    REQUIRE(history.ok());
    CHECK(history->now().total() == 1922);
    CHECK(history->now().exact() == !estimated);
    CHECK(history->now().exchanges()[0].tokens == (estimated ? 1611 : 1697));
    CHECK(history->now().exchanges()[1].tokens == (estimated ? 43 + 268 : 1922 - 1697));
    const ContextForecast seen = forecast(*history, {8000, 1000}, {});
    CHECK(seen.entered == 1922);
  }
}

TEST_CASE("context history: a journal tells what is in the conversation, and what left it") {
  for (int seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Job job(seed);
    REQUIRE(job.compactions > 0);
    const auto history = ContextHistory::read(job.files, "/job/journal.jsonl");
    REQUIRE_MESSAGE(history.ok(), history.error().message);
    const Ledger& was = job.random.conversation.ledger();
    const Ledger& now = history->now();
    REQUIRE(now.messages().size() == was.messages().size());
    CHECK(now.total() == was.total());
    CHECK(find_pins(now, job.budget) == find_pins(was, job.budget));
    std::set<MessageId> there;
    for (std::size_t i = 0; i < was.messages().size(); ++i) {
      const ContextMessage& message = was.messages()[i];
      CHECK(now.messages()[i].id == message.id);
      there.insert(message.id);
      bool cleared = false;
      for (const ContextPart& part : was.parts(i)) cleared = cleared || part.cleared;
      CHECK(truth_of(history->why_gone(message.id), "cleared") == cleared);
    }
    for (MessageId id = 1; id <= was.last_id(); ++id) {
      if (there.contains(id)) continue;
      const Json why = history->why_gone(id);
      REQUIRE(why.is_object());
      CHECK(!truth_of(why, "cleared"));
      CHECK(number_of(why, "round") > 0);
    }
  }
}

TEST_CASE("context history: played again with the same settings it is cut in the same places") {
  Job job(3);
  const auto history = ContextHistory::read(job.files, "/job/journal.jsonl");
  REQUIRE(history.ok());
  const ContextForecast same = forecast(*history, job.budget, job.rules);
  CHECK(static_cast<int>(same.cuts.size()) == job.compactions);
  CHECK(same.failed.empty());
  Budget larger = job.budget;
  larger.context_tokens = 1000000;
  const ContextForecast none = forecast(*history, larger, job.rules);
  CHECK(none.cuts.empty());
  // What the model wrote is in the server's cache.
  CHECK(none.evaluated == none.entered - job.written);
  CHECK(same.evaluated > none.evaluated);
  Budget naive = job.budget;
  naive.low_water = 0.84;
  CHECK(forecast(*history, naive, job.rules).evaluated > same.evaluated);
}

TEST_CASE("context history: journals without messages, and such that are not whole") {
  FakeFileSystem files;
  files.files["/old.jsonl"] = R"({"type":"thread.started"})"
                              "\n"
                              R"({"type":"turn.completed"})"
                              "\n";
  const auto old = ContextHistory::read(files, "/old.jsonl");
  REQUIRE(old.ok());
  CHECK(old->steps().empty());
  files.files["/torn.jsonl"] =
      R"({"type":"context.appended","tokens":5,"messages":[{"id":7,"role":"user","parts":[]}]})"
      "\n";
  CHECK(ContextHistory::read(files, "/torn.jsonl").error().message ==
        "/torn.jsonl: the journal has no message 1; it is not whole");
}

}  // namespace pedro
