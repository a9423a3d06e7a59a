#pragma once

#include "base/clock.h"
#include "llm/llama_client.h"
#include "llm/model.h"

namespace pedro {

/// Looks at a slot (`GET /slots`) while a reply is generated in it: how much of the prompt is
/// evaluated, how many tokens there are. A reply that is not streamed is the only one that names
/// all its tokens (a stream leaves out those that end inside a UTF-8 character), and this is how
/// one knows meanwhile that the server lives. Borrows everything.
class SlotWatch {
 public:
  SlotWatch(LlamaClient& client, int slot, const GenerateEvents& events, const Clock& clock,
            double idle_timeout_s);

  /// Asks once and tells the events. False where nothing has moved for the idle timeout: it is time
  /// to give up. A server that does not answer has not moved.
  bool look();

 private:
  LlamaClient& client_;
  int slot_;
  const GenerateEvents& events_;
  const Clock& clock_;
  double idle_timeout_s_;
  long long last_moved_ms_;
  long long last_seen_ = -1;  // tokens evaluated and generated
};

}  // namespace pedro
