// The executor's questions in separate conversations.
#include <algorithm>
#include <deque>

#include "agent/executor.h"

namespace pedro {

void Executor::open_apart(const ApartRequest& ask) {
  begin(ask.system, {});
  keeper_.conversation().append(text_message(Role::kUser, ""),
                                {{PartKind::kTask, ask.prompt, true}});
}

GenerateRequest Executor::apart_request(const ApartRequest& ask, const ChatRequest& chat) const {
  GenerateRequest request{.chat = chat};
  request.temperature = ask.temperature;
  request.max_tokens = std::min(ask.max_tokens, window_.reply_tokens);
  request.seed = ask.seed;
  request.text_grammar = ask.grammar;
  request.stops = ask.stops;
  request.ends_at_loop = true;
  return request;
}

Result<std::size_t> Executor::together(std::span<const ApartRequest> questions) {
  std::deque<ChatRequest> chats;
  std::vector<GenerateRequest> requests;
  for (const ApartRequest& ask : questions) {
    open_apart(ask);
    requests.push_back(apart_request(ask, chats.emplace_back(keeper_.request())));
  }
  return parts_.model.together(requests);
}

Result<Reply> Executor::ask_apart(const ApartRequest& ask) {
  open_apart(ask);
  trace_messages();
  Result<Reply> reply = parts_.model.generate(apart_request(ask, keeper_.request()));
  if (!reply) return reply;
  largest_apart_ =
      std::max(largest_apart_, reply->usage.prompt_tokens + reply->usage.generated_tokens);
  return reply;
}

Status Executor::end_apart(Reply sum) {
  const Result<Reply> taken = take(std::move(sum));
  return taken ? Status() : Status(taken.error());
}

}  // namespace pedro
