#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chat/message.h"

namespace pedro {

/// Of a message, from 1; never given again in a conversation, whatever leaves it.
using MessageId = std::uint32_t;

/// What a piece of a message is.
enum class PartKind {
  kSystem,   ///< the agent's rules
  kTask,     ///< what the job is about
  kOpening,  ///< the prompt of a phase
  kReply,    ///< what the model wrote
  kResult,   ///< what came of a call
  kAdvice,   ///< what the model is told about its reply
  kNote,     ///< what stands for what has left
};
std::string_view to_string(PartKind kind);
/// kAdvice for another text: it is the one that nothing depends on.
PartKind part_kind_named(std::string_view name);

/// What kind of call a result is the result of.
enum class CallKind {
  kLook,      ///< anything but the following
  kCommand,   ///< a program was run
  kNote,      ///< the model set something aside
  kDecision,  ///< a phase was ended
};

/// What a result is the result of.
struct CallFacts {
  CallKind kind = CallKind::kLook;
  std::string tool;
  std::string call;     ///< "file read a.txt"
  std::string target;   ///< what it was about: a path, a pattern, a command, a name; may be ""
  std::string outcome;  ///< how a command ended ("[exit 1]"), what was noted or decided
  bool ok = true;
  std::vector<std::string> changed;  ///< paths
};

/// What a ledger calls the names in CallFacts: from 1, 0 for none; and what came of the call. So
/// what many calls are about is compared without looking at texts, or at CallFacts at all.
struct FactNames {
  bool ok = true;
  bool is_note = false;
  std::uint32_t topic = 0;  ///< tool and target together
  std::uint32_t target = 0;
  std::vector<std::uint32_t> changed;
};

/// A piece of a message's text. Parts stand one behind the other, without a gap.
struct ContextPart {
  PartKind kind = PartKind::kAdvice;
  bool pinned = false;    ///< must never leave, nor what is in one exchange with it
  bool cleared = false;   ///< of kResult: a few words stand for it
  std::size_t bytes = 0;  ///< of the message's text; 0 where only calls are in it
  long long tokens = 0;
  std::string kept_as = {};  ///< what `context recall` calls all of it; "" where nothing
  std::shared_ptr<const CallFacts> facts = {};  ///< of kResult; shared by copies of a ledger
  FactNames names = {};                         ///< of `facts`; the ledger's to say
};

struct ContextMessage {
  MessageId id = 0;
  Role role = Role::kUser;
  std::size_t first_part = 0;  ///< of all parts; the next message's are behind this one's
};

/// Messages that live and die together: a reply and what it was answered, results of its calls
/// first of all. The first exchange has no reply: rules, tools and task.
struct Exchange {
  std::size_t first = 0;  ///< of the messages
  std::size_t end = 0;    ///< behind the last
  long long tokens = 0;   ///< of its messages and what is written around them
};

/// What is in a conversation and how many tokens it takes, without its texts. Counts of parts are
/// what a tokenizer says of their texts; what is written around them (turns, tools, ids) is known
/// when a prompt was counted as a whole, and belongs to the exchange that came in with it. So
/// total() is always the sum of the exchanges, and after measured() what the server sees. A value.
class Ledger {
 public:
  /// O(parts). A reply begins an exchange.
  MessageId append(Role role, std::vector<ContextPart> parts);

  /// All of it together, with whatever is around it, has so many tokens; or about so many.
  void measured(long long prompt_tokens, bool exact = true);

  /// The same where that is known of nothing but the whole: every exchange was estimated wrongly,
  /// to the same degree. O(exchanges).
  void rescale(long long prompt_tokens);

  long long total() const { return total_; }
  /// Nothing came in or left since total() was measured: it is no estimate.
  bool exact() const { return exact_; }
  const std::vector<ContextMessage>& messages() const { return messages_; }
  std::span<const ContextPart> parts(std::size_t message) const {
    return parts(message, message + 1);
  }
  /// The place of the first message that was given a later id than this.
  std::size_t first_behind(MessageId id) const;
  /// Of the messages from `first` to before `end`.
  std::span<const ContextPart> parts(std::size_t first, std::size_t end) const {
    const std::size_t begin = begin_of(first);
    return std::span(parts_).subspan(begin, begin_of(end) - begin);
  }
  const std::vector<Exchange>& exchanges() const { return exchanges_; }
  /// Which exchange a message is in. O(log exchanges).
  std::size_t exchange_of(std::size_t message) const;
  /// How many names there are in FactNames, 0 among them.
  std::size_t names() const { return names_.size() + 1; }
  /// Ids given so far.
  MessageId last_id() const { return last_id_; }

  /// Nothing is in it; ids go on.
  void clear();
  /// A part has another text, or, with no bytes, is no more. Parts keep their places.
  void replace_part(std::size_t message, std::size_t part, ContextPart by);
  /// Puts a part behind the last one of the last message.
  void append_part(ContextPart part);
  /// Takes out the exchanges for which `gone` is true. Never the first. O(messages). Returns what
  /// was known of their calls: to free it takes longer than the rest, and need not be done at once.
  std::vector<std::shared_ptr<const CallFacts>> remove_exchanges(const std::vector<bool>& gone);

 private:
  std::size_t begin_of(std::size_t message) const {
    return message < messages_.size() ? messages_[message].first_part : parts_.size();
  }
  std::uint32_t name_of(std::string text);
  void name_facts(ContextPart& part);

  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<ContextMessage> messages_;
  std::vector<ContextPart> parts_;  // of all messages: what is looked through often stands together
  std::vector<Exchange> exchanges_;
  long long total_ = 0;
  bool exact_ = false;
  MessageId last_id_ = 0;
  std::size_t changed_ = 0;  // the exchange in which a part was replaced last: the next one is near
};

}  // namespace pedro
