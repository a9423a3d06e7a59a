#include "context/compaction.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "context/random_conversation.h"

namespace pedro {
namespace {

constexpr long long kStubTokens = 6;
constexpr long long kNoteTokens = 20;

CompactionRules small_rules() {
  CompactionRules rules;
  rules.marker_tokens = kStubTokens;
  rules.note_tokens = kNoteTokens;
  rules.protect_tokens = 200;
  return rules;
}

std::vector<WrittenPart> stubs_for(const Compaction& plan, const Conversation& conversation) {
  std::vector<WrittenPart> markers;
  for (const auto& one : plan.cleared) {
    WrittenPart marker{PartKind::kResult, std::string(4 * kStubTokens, 's'), false, "out-1"};
    marker.facts = conversation.ledger().parts(one.message)[one.part].facts;
    markers.push_back(std::move(marker));
  }
  return markers;
}

WrittenPart note() {
  return {PartKind::kNote, std::string(4 * kNoteTokens, 'n')};
}

// Checks the invariants of a conversation, which hold after any operation.
void check_whole(const Conversation& conversation) {
  const Ledger& ledger = conversation.ledger();
  const auto& messages = conversation.request().messages;
  REQUIRE(ledger.messages().size() == messages.size());
  long long sum = 0;
  std::size_t at = 0;
  for (const Exchange& exchange : ledger.exchanges()) {
    CHECK(exchange.first == at);
    CHECK(exchange.end > exchange.first);
    at = exchange.end;
    sum += exchange.tokens;
  }
  CHECK(at == messages.size());
  CHECK(sum == ledger.total());
  MessageId last = 0;
  std::set<std::string> open;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    CHECK(ledger.messages()[i].id > last);
    last = ledger.messages()[i].id;
    std::size_t bytes = 0;
    for (const ContextPart& part : ledger.parts(i)) {
      bytes += part.bytes;
      CHECK((part.facts != nullptr) == (part.kind == PartKind::kResult));
    }
    CHECK(bytes == text_of(messages[i]).size());
    if (messages[i].role == Role::kTool) {
      CHECK(open.erase(messages[i].call_id.value_or("")) == 1);  // every result has a call
      continue;
    }
    CHECK(open.empty());  // every call has a result
    for (const RequestedCall& call : messages[i].calls) open.insert(call.id);
  }
  CHECK(open.empty());
}

std::map<MessageId, std::string> texts_by_id(const Conversation& conversation) {
  std::map<MessageId, std::string> texts;
  for (std::size_t i = 0; i < conversation.request().messages.size(); ++i) {
    texts[conversation.ledger().messages()[i].id] = text_of(conversation.request().messages[i]);
  }
  return texts;
}

std::vector<MessageId> pinned_ids(const Conversation& conversation, const Budget& budget) {
  const Ledger& ledger = conversation.ledger();
  const std::vector<Pin> pins = find_pins(ledger, budget);
  std::vector<MessageId> ids;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    if (pins[i] == Pin::kNone) continue;
    const Exchange& exchange = ledger.exchanges()[i];
    for (std::size_t m = exchange.first; m < exchange.end; ++m) {
      ids.push_back(ledger.messages()[m].id);
    }
  }
  return ids;
}

long long window_of(int seed) {
  return 200 + (seed % 37) * 90;
}

struct Seen {
  int compactions = 0;
  int refusals = 0;
  int cleared = 0;
};

// Checks that a smaller window keeps no more tokens than a larger one, or at most its low mark.
void check_smaller(const Ledger& ledger, const Budget& budget, const Compaction& plan) {
  Budget smaller = budget;
  smaller.context_tokens = budget.context_tokens * 3 / 4;
  const auto less = plan_compaction(ledger, smaller, small_rules());
  if (less) CHECK(less->after <= std::max(plan.after, smaller.low()));
}

// Compacts the conversation whenever it exceeds the high mark, and checks every step.
Seen run(int seed) {
  RandomConversation random(seed, 20 + static_cast<int>(window_of(seed) / 30));
  Conversation& conversation = random.conversation;
  const Budget budget{window_of(seed), 50, 0, 0.85, 0.35};
  std::set<MessageId> left;
  Seen seen;
  for (int round = 0; round < 20; ++round) {
    random.add_exchange();
    if (conversation.ledger().total() <= budget.high()) continue;
    const auto plan = plan_compaction(conversation.ledger(), budget, small_rules());
    if (!plan) {
      CHECK(plan.error().kind == ErrorKind::kLimit);
      ++seen.refusals;
      continue;
    }
    ++seen.compactions;
    const std::vector<Pin> pins = find_pins(conversation.ledger(), budget);
    for (const auto& one : plan->cleared) {  // pinned messages keep their text
      const Pin pin = pins[conversation.ledger().exchange_of(one.message)];
      CHECK((pin == Pin::kNone || pin == Pin::kNewest));
      ++seen.cleared;
    }
    check_smaller(conversation.ledger(), budget, *plan);
    const auto before = texts_by_id(conversation);
    const auto pinned = pinned_ids(conversation, budget);
    const long long total = conversation.ledger().total();
    const auto was = conversation.request().messages;
    const auto origins = conversation.compact(*plan, stubs_for(*plan, conversation),
                                              plan->removed.empty() ? WrittenPart{} : note());
    check_whole(conversation);
    CHECK(conversation.ledger().total() <= plan->after);
    CHECK(conversation.ledger().total() < total);
    random.measure();
    CHECK(conversation.ledger().total() <= budget.high());
    const auto after = texts_by_id(conversation);
    for (const MessageId id : pinned) CHECK(after.contains(id));
    for (const auto& [id, text] : after) {
      CHECK(before.contains(id));  // no message is added
      CHECK(!left.contains(id));   // no removed message returns
    }
    for (const auto& [id, text] : before) {
      if (!after.contains(id)) left.insert(id);
    }
    for (std::size_t i = 0; i < origins.size(); ++i) {
      if (origins[i] == Conversation::kChanged) continue;
      CHECK(text_of(was[origins[i]]) == text_of(conversation.request().messages[i]));
      if (i > 0 && origins[i - 1] != Conversation::kChanged) CHECK(origins[i - 1] < origins[i]);
    }
    if (conversation.ledger().total() > budget.low()) continue;
    const auto again = plan_compaction(conversation.ledger(), budget, small_rules());
    REQUIRE(again.ok());
    CHECK(again->empty());
  }
  return seen;
}

// Builds a conversation of eight exchanges with results of `result` tokens each.
Conversation eight(int result) {
  Conversation conversation(count_quarters);
  conversation.append(text_message(Role::kSystem, ""), {{PartKind::kSystem, std::string(40, 's')}});
  conversation.append(text_message(Role::kUser, ""), {{PartKind::kTask, std::string(40, 't')}});
  for (int i = 0; i < 8; ++i) {
    conversation.append(text_message(Role::kAssistant, ""), {{PartKind::kReply, "call"}});
    WrittenPart part{PartKind::kResult, std::string(static_cast<std::size_t>(4 * result), 'r')};
    CallFacts facts;
    facts.tool = "file";
    facts.target = fmt::format("f{}", i);
    part.facts = std::make_shared<CallFacts>(facts);
    conversation.append(text_message(Role::kUser, ""), {std::move(part)});
  }
  return conversation;
}

std::string shown(const Compaction& plan) {
  std::string text;
  for (const auto& one : plan.cleared) text += fmt::format("-{} ", one.message);
  for (const auto& one : plan.removed)
    text += fmt::format("{}{} ", to_string(one.why), one.exchange);
  return text;
}

}  // namespace

TEST_CASE("compaction: the invariants hold for 10,000 random conversations and windows") {
  Seen seen;
  for (int seed = 0; seed < 10000; ++seed) {
    CAPTURE(seed);
    const Seen one = run(seed);
    seen.compactions += one.compactions;
    seen.refusals += one.refusals;
    seen.cleared += one.cleared;
  }
  CHECK(seen.compactions > 10000);
  CHECK(seen.refusals > 0);
  CHECK(seen.cleared > 1000);
  MESSAGE(seen.compactions, " compactions, ", seen.refusals, " refusals");
}

TEST_CASE("compaction: strategies are used in order, each until there is enough room") {
  struct Row {
    const char* name;
    long long window;
    std::string strategies;
    std::string expected;
  };
  // 8 exchanges of 101 tokens and a head of 20.
  for (const Row& row : {
           Row{"there is enough room", 4000, "clear middle oldest", ""},
           Row{"results give way, oldest first", 1600, "clear middle oldest", "-3 -5 -7 -9 "},
           Row{"without clearing the middle leaves, oldest first", 1600, "middle oldest",
               "middle2 middle3 middle4 "},
           Row{"the oldest leave, but the head", 1600, "oldest", "oldest1 oldest2 oldest3 "},
           Row{"nothing may leave", 1600, "", ""},
       }) {
    CAPTURE(row.name);
    const Conversation conversation = eight(100);
    CompactionRules rules = small_rules();
    rules.note_tokens = 0;
    rules.strategies = *read_strategies(row.strategies);
    const auto plan =
        plan_compaction(conversation.ledger(), {row.window, 50, 0, 0.85, 0.35}, rules);
    REQUIRE(plan.ok());
    CHECK(shown(*plan) == row.expected);
  }
}

// The cost of compactions for a server that cannot shift its KV cache: the tokens that it evaluates
// again, and the removed importance.
struct Price {
  long long again = 0;
  double lost = 0;
  int compactions = 0;
};

Price price_of(const Ledger& ledger, const Compaction& plan) {
  Price price;
  std::size_t first = ledger.exchanges().size();
  for (const auto& one : plan.removed) {
    first = std::min(first, one.exchange);
    price.lost += one.score;
  }
  for (const auto& one : plan.cleared) {
    for (std::size_t i = 0; i < first; ++i) {
      if (one.message < ledger.exchanges()[i].end) first = i;
    }
  }
  price.again = plan.after;
  for (std::size_t i = 0; i < first; ++i) price.again -= ledger.exchanges()[i].tokens;
  return price;
}

Price price_of_job(int seed, bool moves_cache) {
  RandomConversation random(seed, 60);
  CompactionRules rules = small_rules();
  rules.strategies = {Strategy::kMiddle, Strategy::kOldest};
  rules.moves_cache = moves_cache;
  const Budget budget{8000, 300, 0, 0.85, 0.35};
  Price all;
  for (int round = 0; round < 1000; ++round) {
    random.add_exchange();
    const Ledger& ledger = random.conversation.ledger();
    if (ledger.total() <= budget.high()) continue;
    const auto plan = plan_compaction(ledger, budget, rules);
    REQUIRE(plan.ok());
    all.again += price_of(ledger, *plan).again;
    ++all.compactions;
    (void)random.conversation.compact(*plan, {}, note());
    random.measure();
  }
  return all;
}

TEST_CASE("compaction: of equally unimportant exchanges, the cheapest to remove leaves") {
  long long dear = 0;
  long long cheap = 0;
  for (int seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Price wherever = price_of_job(seed, true);
    const Price chosen = price_of_job(seed, false);
    CHECK(chosen.compactions > 10);
    dear += wherever.again / wherever.compactions;
    cheap += chosen.again / chosen.compactions;
  }
  MESSAGE("evaluated once more for a compaction: ", cheap / 20, " tokens, ", dear / 20,
          " where that is not looked at");
  CHECK(10 * cheap < 9 * dear);
}

TEST_CASE("compaction: a low cost is no reason to remove important exchanges") {
  for (int seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    RandomConversation random(seed, 60);
    while (random.conversation.ledger().total() < 7000) random.add_exchange();
    const Ledger& ledger = random.conversation.ledger();
    CompactionRules rules = small_rules();
    rules.strategies = {Strategy::kMiddle, Strategy::kOldest};
    const Budget budget{8000, 300, 0, 0.85, 0.35};
    const auto cheapest = plan_compaction(ledger, budget, rules);
    rules.moves_cache = true;
    const auto wherever = plan_compaction(ledger, budget, rules);
    REQUIRE((cheapest.ok() && wherever.ok()));
    CHECK(price_of(ledger, *cheapest).lost <= 1.25 * price_of(ledger, *wherever).lost);
    CHECK(price_of(ledger, *cheapest).again <= price_of(ledger, *wherever).again);
    CHECK(cheapest->after <= budget.low());
  }
}

TEST_CASE(
    "compaction: a failure that must stay keeps its text, one that is too large leaves a note") {
  for (const int tokens : {60, 400}) {
    CAPTURE(tokens);
    Conversation conversation = eight(100);
    conversation.append(text_message(Role::kAssistant, ""), {{PartKind::kReply, "call"}});
    WrittenPart part{PartKind::kResult, std::string(static_cast<std::size_t>(4 * tokens), 'e')};
    CallFacts facts;
    facts.kind = CallKind::kCommand;
    facts.tool = "test";
    facts.call = "test run";
    facts.ok = false;
    part.facts = std::make_shared<CallFacts>(facts);
    conversation.append(text_message(Role::kUser, ""), {std::move(part)});
    for (int i = 0; i < 3; ++i) {
      conversation.append(text_message(Role::kAssistant, ""), {{PartKind::kReply, "call"}});
      WrittenPart read{PartKind::kResult, std::string(400, 'r')};
      CallFacts look;
      look.tool = "file";
      look.target = fmt::format("g{}", i);
      read.facts = std::make_shared<CallFacts>(std::move(look));
      conversation.append(text_message(Role::kUser, ""), {std::move(read)});
    }
    CompactionRules rules = small_rules();
    rules.strategies = {Strategy::kClear};
    const auto plan = plan_compaction(conversation.ledger(), {1200, 50, 0, 0.85, 0.1}, rules);
    REQUIRE(plan.ok());
    const bool cleared =
        std::any_of(plan->cleared.begin(), plan->cleared.end(),
                    [](const Compaction::Cleared& one) { return one.message == 19; });
    CHECK(cleared == (tokens == 400));
    long long after = plan->before;
    for (const auto& one : plan->cleared) after -= one.saved;
    CHECK(plan->after == after + (cleared ? kNoteTokens : 0));
  }
}

TEST_CASE("compaction: is due earlier at the start of a phase") {
  const Budget budget{1000, 99, 0, 0.8, 0.4};  // high mark 720, low mark 360, midpoint 540
  for (const auto& [kind, tokens, due] :
       {std::tuple{PartKind::kAdvice, 600, false}, std::tuple{PartKind::kOpening, 600, true},
        std::tuple{PartKind::kOpening, 500, false}, std::tuple{PartKind::kAdvice, 730, true}}) {
    CAPTURE(to_string(kind));
    CAPTURE(tokens);
    Conversation conversation(count_quarters);
    conversation.append(
        text_message(Role::kSystem, ""),
        {{PartKind::kSystem, std::string(static_cast<std::size_t>(4 * tokens - 8), 's')}});
    conversation.append(text_message(Role::kUser, ""), {{kind, "go on"}});
    CHECK(is_due(conversation.ledger(), budget) == due);
  }
}

TEST_CASE("compaction: names the part that is too large") {
  Conversation conversation(count_quarters);
  conversation.append(text_message(Role::kSystem, ""), {{PartKind::kSystem, "s"}});
  conversation.append(text_message(Role::kUser, ""), {{PartKind::kTask, std::string(8000, 't')}});
  const auto plan =
      plan_compaction(conversation.ledger(), {1000, 100, 0, 0.85, 0.35}, small_rules());
  REQUIRE(!plan.ok());
  CHECK(plan.error().message ==
        "the conversation has 2001 tokens, 2001 of them cannot be removed, the limit is 764; the "
        "largest is message 1 (head) with 2001; start the server with a larger -c, or shorten the "
        "task");
  CHECK(plan.error().overflow == Overflow{2001, 1000});
}

TEST_CASE("compaction: a result that came in last and is too large gives way") {
  Conversation conversation = eight(10);
  conversation.append(text_message(Role::kAssistant, ""), {{PartKind::kReply, "call"}});
  WrittenPart part{PartKind::kResult, std::string(8000, 'r')};
  conversation.append(text_message(Role::kUser, ""), {std::move(part)});
  const auto plan =
      plan_compaction(conversation.ledger(), {1000, 100, 0, 0.85, 0.35}, small_rules());
  REQUIRE(plan.ok());
  REQUIRE(!plan->cleared.empty());
  CHECK(plan->cleared.back().message == 19);
  CHECK(plan->after <= 764);
}

TEST_CASE("compaction: fifty in one job never restore anything, and never grow") {
  RandomConversation random(7, 60);
  Conversation& conversation = random.conversation;
  const Budget budget{3000, 300, 0, 0.85, 0.35};
  int compactions = 0;
  std::size_t most = 0;
  for (int round = 0; round < 20000 && compactions < 50; ++round) {
    random.add_exchange();
    if (conversation.ledger().total() <= budget.high()) continue;
    const auto plan = plan_compaction(conversation.ledger(), budget, small_rules());
    REQUIRE(plan.ok());
    (void)conversation.compact(*plan, stubs_for(*plan, conversation), note());
    check_whole(conversation);
    random.measure();
    const std::size_t left = conversation.ledger().messages().size();
    if (++compactions <= 10) most = std::max(most, left);
    CHECK(left <= 2 * most);
    std::size_t notes = 0;
    for (const ContextPart& part : conversation.ledger().parts(0, left)) {
      notes += part.kind == PartKind::kNote && part.bytes > 0;
    }
    CHECK(notes == 1);
  }
  CHECK(compactions == 50);
}

TEST_CASE("compaction: strategies are read by name") {
  CHECK(read_strategies("oldest  clear")->size() == 2);
  CHECK(read_strategies("")->empty());
  CHECK(read_strategies("clear newest").error().message ==
        "unknown strategy 'newest'; there are: clear middle oldest");
  CHECK(read_strategies("clear clear").error().message == "strategy 'clear' appears twice");
}

}  // namespace pedro
