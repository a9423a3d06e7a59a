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

/// Returns the token count of a text, exact or estimated.
using CountTokens = std::function<long long(std::string_view text)>;

/// A piece of a message with its text.
struct WrittenPart {
  PartKind kind = PartKind::kAdvice;
  std::string text;
  bool pinned = false;
  std::string kept_as = {};
  std::shared_ptr<const CallFacts> facts = {};
};

/// The messages of a chat request and their token counts (Ledger). Messages are appended; compact()
/// removes whole exchanges and replaces results with markers. The address of request() never
/// changes. Removed messages are freed in small batches by append(), so that compact() returns
/// quickly. One thread.
class Conversation {
 public:
  explicit Conversation(CountTokens count) : count_(std::move(count)) {}

  const ChatRequest& request() const { return request_; }
  const Ledger& ledger() const { return ledger_; }

  /// Removes all messages and tools. Later ids continue the sequence.
  void clear() {
    request_ = {};
    ledger_.clear();
  }

  void declare(std::vector<DeclaredTool> tools) { request_.tools = std::move(tools); }

  /// Appends `message`, which must have no text; its text is the concatenation of `parts`. Counts
  /// only the new parts. If `tokens` is not negative, the message has this count and nothing is
  /// counted.
  MessageId append(ChatMessage message, std::vector<WrittenPart> parts, long long tokens = -1);

  /// Sets the token count of request(), as counted or estimated by the server.
  void measured(long long prompt_tokens, bool exact = true) {
    ledger_.measured(prompt_tokens, exact);
  }

  /// See Ledger::rescale().
  void rescale(long long prompt_tokens) { ledger_.rescale(prompt_tokens); }

  std::string_view text_of(std::size_t message, std::size_t part) const;

  /// Marks a message in the result of compact() whose text changed.
  static constexpr std::size_t kChanged = static_cast<std::size_t>(-1);

  /// Applies a plan. `markers` are the texts for compaction.cleared, in that order, with kept_as.
  /// Removes earlier notes and appends `note`, unless empty, to the last message. Returns the
  /// former index of each remaining message, or kChanged.
  std::vector<std::size_t> compact(const Compaction& compaction, std::vector<WrittenPart> markers,
                                   WrittenPart note);

 private:
  ContextPart counted(const WrittenPart& part) const;
  void replace(std::size_t message, std::size_t part, WrittenPart by);
  std::string& text_at(std::size_t message);
  void free_some();

  CountTokens count_;
  ChatRequest request_;
  Ledger ledger_;
  // Removed texts, freed step by step.
  std::vector<std::vector<ContentChunk>> left_;
  std::vector<std::string> left_texts_;
  std::vector<std::shared_ptr<const CallFacts>> left_facts_;
};

}  // namespace pedro
