#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/chat_request.h"
#include "context/compaction.h"
#include "context/ledger.h"

namespace pedro {

/// How many tokens a text has, or about so many.
using CountTokens = std::function<long long(std::string_view text)>;

/// A piece of a message, as it is written.
struct WrittenPart {
  PartKind kind = PartKind::kAdvice;
  std::string text;
  bool pinned = false;
  std::string kept_as = {};
  std::shared_ptr<const CallFacts> facts = {};
};

/// The messages a model is asked to go on with, and the account of what they take (Ledger). It is
/// appended to, and now and then compacted: whole exchanges leave, results become stubs. What is
/// asked of a model is always request(), which stays where it is. What left is freed a few messages
/// with each one that is appended, so that a compaction does not take the time of it. One thread.
class Conversation {
 public:
  explicit Conversation(CountTokens count) : count_(std::move(count)) {}

  const ChatRequest& request() const { return request_; }
  const Ledger& ledger() const { return ledger_; }

  /// Nothing is in it; ids go on.
  void clear() {
    request_ = {};
    ledger_.clear();
  }

  void declare(std::vector<DeclaredTool> tools) { request_.tools = std::move(tools); }

  /// `message` has no text: it is that of the parts together. Counts what is new and nothing else;
  /// where `tokens` is not negative, that is what the message takes and nothing is counted.
  MessageId append(ChatMessage message, std::vector<WrittenPart> parts, long long tokens = -1);

  /// The server counted, or will count, so many tokens of request(); or about so many.
  void measured(long long prompt_tokens, bool exact = true) {
    ledger_.measured(prompt_tokens, exact);
  }

  /// See Ledger::rescale().
  void rescale(long long prompt_tokens) { ledger_.rescale(prompt_tokens); }

  std::string_view text_of(std::size_t message, std::size_t part) const;

  /// Which message a message of the compacted conversation was before: its place, or kChanged.
  static constexpr std::size_t kChanged = static_cast<std::size_t>(-1);

  /// Makes room. `stubs` are the texts for compaction.cleared, with kept_as; they take the result's
  /// place. Notes that are there leave, and `note`, if it has a text, goes behind the last message.
  /// Gives back where each message was.
  std::vector<std::size_t> compact(const Compaction& compaction, std::vector<WrittenPart> stubs,
                                   WrittenPart note);

 private:
  ContextPart counted(const WrittenPart& part) const;
  void replace(std::size_t message, std::size_t part, WrittenPart by);
  std::string& text_at(std::size_t message);
  void free_some();

  CountTokens count_;
  ChatRequest request_;
  Ledger ledger_;
  // What left, freed by and by.
  std::vector<std::vector<ContentChunk>> left_;
  std::vector<std::string> left_texts_;
  std::vector<std::shared_ptr<const CallFacts>> left_facts_;
};

}  // namespace pedro
