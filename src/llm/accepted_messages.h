#pragma once

#include <span>
#include <string>
#include <vector>

#include "chat/chat_request.h"
#include "chat/message.h"
#include "llm/server_refusal.h"

namespace pedro {

/// The form of conversations that a server accepts, learned from its refusals. A refusal names a
/// part, as its parameter or in words; the part is then omitted or written differently. A value.
class AcceptedForm {
 public:
  /// `takes_options`: the parameters of a tool may be an `anyOf`.
  explicit AcceptedForm(bool takes_options);

  /// Applies all learned changes.
  void apply(ChatRequest& chat) const;
  /// Learns the first unused change that the refusal suggests and that changes `chat`. Applies it.
  /// Returns false if there is none.
  bool learn(ChatRequest& chat, const ServerRefusal& refusal);
  /// The same for a refusal without a known reason: merges options, then omits the required call.
  /// The last change declares tools and writes calls as text.
  bool guess(ChatRequest& chat);

 private:
  std::vector<bool> learned_;  // of each change
};

/// Returns true if a refusal suggests another form, of some conversation.
bool suggests_form(const ServerRefusal& refusal);

// Forms of a conversation that strict servers accept.

/// Removes the text of messages with calls, which mistral-common refuses. Returns false if there is
/// none.
bool drop_text_beside_calls(ChatRequest& chat);

/// Returns calls as text, each on a line of its own. `only_rejected`: those that check_calls()
/// rejects, which cannot be sent back as calls.
std::string unused_calls_as_text(std::span<const RequestedCall> calls, bool only_rejected);

/// Replaces characters of tools' names that servers refuse. Replaces an assistant's message without
/// text and calls by "...".
void replace_refused_parts(std::vector<ChatMessage>& messages);

/// Moves a user's message that follows a tool's result into the result. Templates of the Mistral
/// family refuse the pair.
void join_users_to_results(std::vector<ChatMessage>& messages);

}  // namespace pedro
