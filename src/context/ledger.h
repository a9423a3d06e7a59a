#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chat/message.h"

namespace pedro {

/// The id of a message, from 1. Never reused in a conversation.
using MessageId = std::uint32_t;

/// The role of a piece of a message.
enum class PartKind {
  kSystem,   ///< rules of the agent
  kTask,     ///< task of the job
  kOpening,  ///< prompt of a phase
  kReply,    ///< output of the model
  kResult,   ///< result of a call
  kAdvice,   ///< feedback to the model about its reply
  kNote,     ///< replacement for removed exchanges
};
std::string_view to_string(PartKind kind);
/// Returns the kind with this name. Returns kAdvice, on which nothing depends, for other names.
PartKind part_kind_named(std::string_view name);

/// The kind of call that produced a result.
enum class CallKind {
  kLook,      ///< any other call
  kCommand,   ///< a program was run
  kNote,      ///< the model saved a note
  kDecision,  ///< a phase ended
};

/// Facts about the call that produced a result.
struct CallFacts {
  CallKind kind = CallKind::kLook;
  std::string tool;
  std::string call;     ///< for example "file read a.txt"
  std::string target;   ///< the call's subject: a path, a pattern, a command, a name; may be ""
  std::string outcome;  ///< the end of a command ("[exit 1]"), or the text of a note or decision
  bool ok = true;
  std::vector<std::string> changed;  ///< paths
};

/// The strings of CallFacts as numbers of a ledger (from 1; 0 for none), and the call's outcome.
/// Calls are compared by number, without access to texts or CallFacts.
struct FactNames {
  bool ok = true;
  bool is_note = false;
  std::uint32_t topic = 0;  ///< tool and target combined
  std::uint32_t target = 0;
  std::vector<std::uint32_t> changed;
};

/// A piece of a message's text. The parts of a message are contiguous.
struct ContextPart {
  PartKind kind = PartKind::kAdvice;
  bool pinned = false;    ///< never removed, nor its exchange
  bool cleared = false;   ///< for kResult: replaced with a marker
  std::size_t bytes = 0;  ///< size of its text; 0 if the part has only calls
  long long tokens = 0;
  std::string kept_as = {};  ///< name of the full text for `context recall`; "" if none
  std::shared_ptr<const CallFacts> facts = {};  ///< for kResult; shared by copies of a ledger
  FactNames names = {};                         ///< for `facts`; set by the ledger
};

struct ContextMessage {
  MessageId id = 0;
  Role role = Role::kUser;
  std::size_t first_part = 0;  ///< index in all parts; the next message's parts follow
};

/// Messages that are kept or removed together: a reply and the messages that answer it, mainly
/// results of its calls. The first exchange has no reply: rules, tools and task.
struct Exchange {
  std::size_t first = 0;  ///< index of its first message
  std::size_t end = 0;    ///< one past its last message
  long long tokens = 0;   ///< its messages and their share of the chat template
};

/// The structure and token counts of a conversation, without its texts. The tokenizer counts the
/// text of each part. Tokens of the chat template (turns, tools, ids) are known only after a full
/// prompt is counted. They belong to the newest exchange. total() is always the sum of the
/// exchanges. After measured() it equals the server's count. A value.
class Ledger {
 public:
  /// Appends a message. A reply of the model starts a new exchange. O(parts).
  MessageId append(Role role, std::vector<ContextPart> parts);

  /// Sets the token count of the full prompt, including the chat template. `exact` is false for an
  /// estimate. The ledger must not be empty.
  void measured(long long prompt_tokens, bool exact = true);

  /// Like measured(), but scales all exchanges in proportion, since each was estimated with the
  /// same error. O(exchanges).
  void rescale(long long prompt_tokens);

  long long total() const { return total_; }
  /// Returns true if total() was counted exactly and has not changed since.
  bool exact() const { return exact_; }
  const std::vector<ContextMessage>& messages() const { return messages_; }
  std::span<const ContextPart> parts(std::size_t message) const {
    return parts(message, message + 1);
  }
  /// Returns the index of the first message with an id greater than `id`.
  std::size_t first_behind(MessageId id) const;
  /// Returns the parts of the messages in [first, end).
  std::span<const ContextPart> parts(std::size_t first, std::size_t end) const {
    const std::size_t begin = begin_of(first);
    return std::span(parts_).subspan(begin, begin_of(end) - begin);
  }
  const std::vector<Exchange>& exchanges() const { return exchanges_; }
  /// Returns the index of the exchange that contains a message. O(log exchanges).
  std::size_t exchange_of(std::size_t message) const;
  /// Returns the number of names in FactNames, including 0.
  std::size_t names() const { return names_.size() + 1; }
  /// Returns the last id assigned, 0 if there is none.
  MessageId last_id() const { return last_id_; }

  /// Removes all messages. Later ids continue the sequence.
  void clear();
  /// Replaces a part, or empties it if `by` has no bytes. Parts keep their indexes.
  void replace_part(std::size_t message, std::size_t part, ContextPart by);
  /// Appends a part to the last message.
  void append_part(ContextPart part);
  /// Removes the exchanges for which `gone` is true; never the first one. O(messages). Returns the
  /// facts of their calls, since freeing them takes longer than the rest and can be postponed.
  std::vector<std::shared_ptr<const CallFacts>> remove_exchanges(const std::vector<bool>& gone);

 private:
  std::size_t begin_of(std::size_t message) const {
    return message < messages_.size() ? messages_[message].first_part : parts_.size();
  }
  std::uint32_t name_of(std::string text);
  void name_facts(ContextPart& part);

  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<ContextMessage> messages_;
  std::vector<ContextPart> parts_;  // of all messages, contiguous for fast scans
  std::vector<Exchange> exchanges_;
  long long total_ = 0;
  bool exact_ = false;
  MessageId last_id_ = 0;
  std::size_t changed_ = 0;  // the exchange of the last replacement, a hint for the next one
};

/// A summary of removed exchanges, made without a model. The same exchanges always produce the same
/// texts. It accumulates all removed exchanges and keeps the newest entries of each kind. Bounded:
/// about 64 KiB. A value.
class Digest {
 public:
  /// Adds a removed call with its result, as the model saw it. `mended`: a failed call succeeded
  /// later, so its failure is not recorded.
  void add(const CallFacts& facts, std::string_view result, bool mended = false);
  void add_exchange() { ++exchanges_; }
  /// Adds a failure whose result was replaced with a marker.
  void add_failure(const CallFacts& facts, std::string_view result);

  /// Returns the number of exchanges removed so far.
  std::size_t exchanges() const { return exchanges_; }
  bool empty() const { return exchanges_ == 0 && failed_.empty(); }

  /// Returns the texts by section, "-" for an empty section:
  /// - "changed": paths, each with the result of `state_of`
  /// - "read"
  /// - "commands": with their outcomes
  /// - "failed": unresolved failures, verbatim
  /// - "notes": of the model
  /// - "decisions": results of phases
  /// Together about `max_bytes` at most; the newest entries are kept.
  std::map<std::string, std::string> sections(
      std::size_t max_bytes,
      const std::function<std::string(const std::string& path)>& state_of) const;

 private:
  // An entry of a list without duplicate names, newest last.
  struct Entry {
    std::string name;
    std::string text;
  };
  static void put(std::vector<Entry>& list, std::string name, std::string text);

  std::size_t exchanges_ = 0;
  std::vector<Entry> changed_;
  std::vector<Entry> read_;
  std::vector<Entry> commands_;
  std::vector<Entry> failed_;
  std::vector<Entry> notes_;
  std::vector<Entry> decisions_;
};

}  // namespace pedro
