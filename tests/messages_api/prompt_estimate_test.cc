#include <doctest/doctest.h>

#include "messages_api/message_tokens.h"

namespace pedro {
namespace {

// Counts the bytes of a message plus one, and 100 for the rest of the request.
class ByBytes : public MessageTokens {
 public:
  long long of_message(const ChatMessage& message) const override {
    ++asked;
    return 1 + static_cast<long long>(text_of(message).size());
  }
  long long of_the_rest(const ChatRequest& /*request*/) const override { return 100; }

  mutable int asked = 0;
};

struct Talk {
  void say(std::size_t bytes) {
    chat.messages.push_back(text_message(Role::kUser, std::string(bytes, 'x')));
  }

  ByBytes tokens;
  PromptEstimate estimate{tokens};
  ChatRequest chat;
};

}  // namespace

TEST_CASE("prompt estimate: each message is looked at once") {
  Talk talk;
  for (int i = 0; i < 50; ++i) {
    talk.say(9);
    CHECK(talk.estimate.of(talk.chat) == 100 + 10 * (i + 1));
  }
  CHECK(talk.tokens.asked == 50);
}

TEST_CASE("prompt estimate: the server's count is kept, and only new messages are estimated") {
  Talk talk;
  talk.say(99);
  CHECK(talk.estimate.of(talk.chat) == 200);
  CHECK_FALSE(talk.estimate.is_counted());
  talk.estimate.counted(talk.chat, 300, 40);  // 1.5 times the estimate
  CHECK(talk.estimate.is_counted());
  talk.say(500);  // the reply, whose size the server reported
  CHECK(talk.estimate.of(talk.chat) == 340);
  talk.say(19);
  CHECK(talk.estimate.of(talk.chat) == 340 + 30);
  talk.estimate.counted(talk.chat, 360, 1);
  talk.say(1);
  talk.say(9);
  CHECK(talk.estimate.of(talk.chat) > 361);
}

TEST_CASE("prompt estimate: a withdrawn reply does not count") {
  Talk talk;
  talk.say(99);
  (void)talk.estimate.of(talk.chat);
  talk.estimate.counted(talk.chat, 200, 40);
  CHECK(talk.estimate.of(talk.chat) == 240);
  talk.estimate.withdraw();
  CHECK(talk.estimate.of(talk.chat) == 200);
  talk.estimate.withdraw();
  CHECK(talk.estimate.of(talk.chat) == 200);
  talk.estimate.counted(talk.chat, 0, 7);  // the server reported nothing
  talk.estimate.withdraw();
  CHECK(talk.estimate.of(talk.chat) == 200);
  talk.say(9);
  CHECK(talk.estimate.of(talk.chat) == 210);
}

TEST_CASE("prompt estimate: a new conversation keeps only the error ratio of earlier counts") {
  Talk talk;
  talk.say(99);
  (void)talk.estimate.of(talk.chat);
  talk.estimate.counted(talk.chat, 400, 0);
  talk.estimate.begin_anew();
  CHECK_FALSE(talk.estimate.is_counted());
  CHECK(talk.estimate.of(talk.chat) == 400);
  talk.chat.messages.clear();
  talk.estimate.begin_anew();
  talk.say(9);
  CHECK(talk.estimate.of(talk.chat) == 220);
  talk.estimate.counted(talk.chat, 110, 0);  // exact: the correction moves halfway to 1
  talk.estimate.begin_anew();
  CHECK(talk.estimate.of(talk.chat) == 165);
}

TEST_CASE("prompt estimate: a server that says nothing, or nonsense, is not followed") {
  Talk talk;
  talk.say(99);
  (void)talk.estimate.of(talk.chat);
  talk.estimate.counted(talk.chat, 0, 0);
  CHECK_FALSE(talk.estimate.is_counted());
  CHECK(talk.estimate.of(talk.chat) == 200);
  talk.estimate.counted(talk.chat, 1'000'000, 0);
  talk.estimate.begin_anew();
  CHECK(talk.estimate.of(talk.chat) == 600);
}

}  // namespace pedro
