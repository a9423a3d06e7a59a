#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "context/conversation.h"

namespace pedro {

/// Pseudorandom numbers that are the same on every machine (a linear congruential generator).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
  /// Returns a number in [0, end).
  int below(int end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(end));
  }

 private:
  std::uint64_t state_;
};

/// Counts four bytes as one token, rounded up.
inline long long count_quarters(std::string_view text) {
  return static_cast<long long>(text.size() + 3) / 4;
}

/// A random conversation in the shape of a job's.
class RandomConversation {
 public:
  RandomConversation(int seed, int longest_result)
      : conversation(count_quarters),
        dice(static_cast<std::uint64_t>(seed)),
        longest_(longest_result) {
    add(Role::kSystem, {{PartKind::kSystem, text(40)}});
    add(Role::kUser, {{PartKind::kTask, text(40)}});
    measure();
  }

  /// Adds a reply with up to three calls and their results; a phase sometimes begins. Returns the
  /// tokens of the reply.
  long long add_exchange() {
    ChatMessage reply = text_message(Role::kAssistant, "");
    const int calls = dice.below(4);
    for (int i = 0; i < calls; ++i)
      reply.calls.push_back({fmt::format("c{}", ++calls_), "t", "{}"});
    const auto made = reply.calls;
    const WrittenPart written{PartKind::kReply, calls == 0 ? text(20) : ""};
    const long long tokens = 1 + dice.below(30);
    conversation.append(std::move(reply), {written}, tokens);
    for (const RequestedCall& call : made) {
      ChatMessage result = text_message(Role::kTool, "");
      result.call_id = call.id;
      WrittenPart part{PartKind::kResult, text(longest_)};
      part.facts = std::make_shared<CallFacts>(facts());
      conversation.append(std::move(result), {std::move(part)});
    }
    if (calls == 0) add(Role::kUser, {{PartKind::kAdvice, text(10)}});
    if (dice.below(12) == 0) add(Role::kUser, {{PartKind::kOpening, text(30)}});
    measure();
    return tokens;
  }

  /// The count of a server: the texts, and an overhead for each message and call.
  long long server_count() const {
    long long tokens = 17;
    for (const ChatMessage& message : conversation.request().messages) {
      tokens +=
          5 + count_quarters(text_of(message)) + 7 * static_cast<long long>(message.calls.size());
    }
    return tokens;
  }
  void measure() { conversation.measured(server_count()); }

  std::string text(int longest) {
    std::string out = fmt::format("{}:", ++texts_);
    out.append(static_cast<std::size_t>(4 * dice.below(longest)), 'x');
    return out;
  }

  Conversation conversation;
  Dice dice;

 private:
  void add(Role role, std::vector<WrittenPart> parts) {
    conversation.append(text_message(role, ""), std::move(parts));
  }

  CallFacts facts() {
    CallFacts facts;
    facts.tool = dice.below(2) == 0 ? "file" : "bash";
    facts.target = fmt::format("f{}", dice.below(9));
    facts.call = facts.tool + " " + facts.target;
    facts.kind = static_cast<CallKind>(dice.below(3));
    facts.ok = dice.below(4) != 0;
    if (dice.below(5) == 0) facts.changed = {facts.target};
    return facts;
  }

  int longest_;
  int calls_ = 0;
  int texts_ = 0;
};

}  // namespace pedro
