// Tests a growing conversation in every family. The result must equal the family's rendering of the
// whole conversation, except for parts that the family would move.
#include "chat_format/transcript.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "call_parser/call_parser.h"
#include "chat_format/family_vocabulary.h"
#include "chat_format/format_family.h"
#include "support/hostile_texts.h"

namespace pedro {
namespace {

constexpr TokenId kEnd = 255;  // "end of generation": not a byte of UTF-8

std::vector<TokenId> ids_of(const Prompt& prompt, Tokenizer& tokenizer) {
  const auto ids = encode_prompt(prompt, tokenizer);
  REQUIRE_MESSAGE(ids.ok(), ids.error().message);
  return *ids;
}

std::vector<TokenId> whole(const FormatFamily& family, const ChatRequest& chat,
                           Tokenizer& tokenizer) {
  const auto prompt = render_conversation(family, chat);
  REQUIRE_MESSAGE(prompt.ok(), prompt.error().message);
  return ids_of(*prompt, tokenizer);
}

// The tokens of a generated call, with the token that ends the generation.
std::vector<TokenId> generated_call(const CallForm& form, Tokenizer& tokenizer) {
  std::vector<TokenId> ids = ids_of(example_generation(form), tokenizer);
  ids.push_back(kEnd);
  return ids;
}

std::string shown(const std::vector<TokenId>& ids, Tokenizer& tokenizer) {
  return *tokenizer.decode(ids);
}

// Families that render a second user turn differently from a transcript.
const std::set<std::string> kMovesThings = {"mistral-v2",        "mistral-v3",
                                            "mistral-v3-tekken", "mistral-v7",
                                            "mistral-v7-tekken", "mistral-v11-tekken"};

// Families whose reply opens with thinking, which a later turn contains closed or not at all.
const std::set<std::string> kOpensThinking = {"qwen3.5",    "deepseek-v3.2", "deepseek-v4",
                                              "minimax-m2", "glm-4.7",       "gemma4"};

// The families among them whose later turn contains another opening.
const std::set<std::string> kOpensDifferently = {"minimax-m2", "glm-4.7", "gemma4"};

}  // namespace

TEST_CASE(
    "transcript: a call that was begun for the model, its result, an answer, in every family") {
  for (const FormatFamily& family : format_families()) {
    const std::optional<CallForm> form = call_form(family);
    if (!form) continue;
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    Transcript transcript(family, *tokenizer);
    ChatRequest chat = example_chat(true);
    REQUIRE(transcript.extend(chat, &form->lead).ok());
    transcript.generated(generated_call(*form, *tokenizer), true, ReplyEnd::kArguments);
    chat.messages.push_back(example_call());
    chat.messages.push_back(example_result());
    const Status extended = transcript.extend(chat, nullptr);
    REQUIRE_MESSAGE(extended.ok(), extended.error().message);
    if (kOpensDifferently.contains(family.name)) continue;
    CHECK(shown(transcript.ids(), *tokenizer) ==
          shown(whole(family, chat, *tokenizer), *tokenizer));

    if (family.name == "harmony") continue;  // the model itself writes the channel of an answer
    transcript.generated(std::vector<TokenId>{'o', 'k', kEnd}, true, ReplyEnd::kByModel);
    chat.messages.push_back(text_message(Role::kAssistant, "ok"));
    chat.messages.push_back(text_message(Role::kUser, "V"));
    REQUIRE(transcript.extend(chat, nullptr).ok());
    if (kMovesThings.contains(family.name) || kOpensThinking.contains(family.name)) continue;
    CHECK(shown(transcript.ids(), *tokenizer) ==
          shown(whole(family, chat, *tokenizer), *tokenizer));
  }
}

// The tokens between a prompt and the text after a reply are exactly the reply.
TEST_CASE("transcript: continues after a call that the model wrote by itself, in every family") {
  for (const FormatFamily& family : format_families()) {
    const std::optional<CallForm> form = call_form(family);
    if (!form) continue;
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    ChatRequest chat = example_chat(true);
    const std::vector<TokenId> first = whole(family, chat, *tokenizer);
    chat.messages.push_back(example_call());
    chat.messages.push_back(example_result());
    const auto rest = render_continuation(family, chat, 3, ReplyEnd::kByModel);
    REQUIRE(rest.ok());
    const std::vector<TokenId> behind = ids_of(*rest, *tokenizer);
    const std::vector<TokenId> all = whole(family, chat, *tokenizer);
    REQUIRE(all.size() > first.size() + behind.size());
    CHECK(std::equal(behind.rbegin(), behind.rend(), all.rbegin()));
    if (kOpensThinking.contains(family.name)) continue;
    CHECK(std::equal(first.begin(), first.end(), all.begin()));
    const std::string reply = shown({all.begin() + static_cast<std::ptrdiff_t>(first.size()),
                                     all.end() - static_cast<std::ptrdiff_t>(behind.size())},
                                    *tokenizer);
    const auto parts = parse_calls(reply, *call_syntax_of(family.name));
    REQUIRE(parts.size() == 1);
    const auto* call = std::get_if<ParsedCall>(&parts[0]);
    REQUIRE(call != nullptr);
    CHECK(call->tool == "file");
    CHECK(call->args == *parse_json(kExampleArguments));
  }
}

TEST_CASE("transcript: no content after a reply becomes a control token") {
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    std::vector<std::string> texts = hostile_texts();
    for (const TokenId id : tokenizer->vocabulary().specials()) {
      texts.emplace_back(tokenizer->vocabulary().piece(id));
    }
    const auto controls_with = [&](const std::string& text) {
      Transcript transcript(family, *tokenizer);
      ChatRequest chat = example_chat(call_form(family).has_value());
      REQUIRE(transcript.extend(chat, nullptr).ok());
      transcript.generated(std::vector<TokenId>{'x', kEnd}, true, ReplyEnd::kByModel);
      if (call_form(family)) {
        chat.messages.push_back(example_call());
        chat.messages.push_back(example_result());
        chat.messages.back().content = text_message(Role::kTool, text).content;
      } else {
        chat.messages.push_back(text_message(Role::kAssistant, "x"));
      }
      chat.messages.push_back(text_message(Role::kUser, text));
      REQUIRE(transcript.extend(chat, nullptr).ok());
      CHECK(shown(transcript.ids(), *tokenizer).find(trim(text)) != std::string::npos);
      return std::count_if(transcript.ids().begin(), transcript.ids().end(),
                           [&](TokenId id) { return tokenizer->vocabulary().is_control(id); });
    };
    const auto harmless = controls_with("text");
    for (const std::string& text : texts) {
      CAPTURE(text);
      CHECK(controls_with(text) == harmless);
    }
  }
}

TEST_CASE("transcript: plain turns, in every family") {
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    Transcript transcript(family, *tokenizer);
    ChatRequest chat = example_chat(false);
    REQUIRE(transcript.extend(chat, nullptr).ok());
    const std::vector<TokenId> first = transcript.ids();
    CHECK(shown(first, *tokenizer) == shown(whole(family, chat, *tokenizer), *tokenizer));
    CHECK(transcript.expected_cached() == 0);

    // The reply's own ids stay, even if the server's text differs. The end token is dropped.
    transcript.generated(std::vector<TokenId>{'x', 200, kEnd}, true, ReplyEnd::kByModel);
    CHECK(transcript.expected_cached() == static_cast<long long>(first.size()) + 2);
    chat.messages.push_back(text_message(Role::kAssistant, "another spelling"));
    chat.messages.push_back(text_message(Role::kUser, "V"));
    REQUIRE(transcript.extend(chat, nullptr).ok());
    const std::vector<TokenId>& ids = transcript.ids();
    REQUIRE(ids.size() > first.size() + 2);
    CHECK(std::equal(first.begin(), first.end(), ids.begin()));
    CHECK(ids[first.size()] == 'x');
    CHECK(ids[first.size() + 1] == 200);
    CHECK(ids[first.size() + 2] != kEnd);
    CHECK(shown(ids, *tokenizer).find("another spelling") == std::string::npos);

    // After a cut by a limit, the last token belongs to the text but was never evaluated.
    const std::size_t prompt = ids.size();
    transcript.generated(std::vector<TokenId>{'y', 'z'}, false, ReplyEnd::kByModel);
    CHECK(transcript.ids().size() == prompt + 2);
    CHECK(transcript.expected_cached() == static_cast<long long>(prompt) + 1);
  }
}

TEST_CASE("transcript: nothing of the call is written after a call with raw bodies") {
  const FormatFamily& family = **find_format("hermes");
  const auto tokenizer = tokenizer_of(family);
  Transcript transcript(family, *tokenizer);
  const CallForm form = *call_form(family);
  ChatRequest chat = example_chat(true);
  REQUIRE(transcript.extend(chat, &form.lead).ok());
  std::vector<TokenId> generated;
  for (const char c :
       std::string("file\", \"arguments\": {}}\n</tool_call>\n<<<RAW old\na\nRAW>>>")) {
    generated.push_back(static_cast<unsigned char>(c));
  }
  generated.push_back(kEnd);
  transcript.generated(generated, true, ReplyEnd::kByModel);
  chat.messages.push_back(example_call());
  chat.messages.push_back(example_result());
  REQUIRE(transcript.extend(chat, nullptr).ok());
  CHECK(shown(transcript.ids(), *tokenizer).find("\na\nRAW>>><|im_end|>\n<|im_start|>user") !=
        std::string::npos);
}

TEST_CASE("transcript: begins a call as text for a model that was not trained to call") {
  const FormatFamily& family = **find_format("gemma");
  const auto tokenizer = tokenizer_of(family);
  Transcript transcript(family, *tokenizer);
  const CallForm form = plain_call_form();
  ChatRequest chat = example_chat(false);
  REQUIRE(transcript.extend(chat, &form.lead).ok());
  transcript.generated(generated_call(form, *tokenizer), true, ReplyEnd::kPlainArguments);
  chat.messages.push_back(text_message(Role::kAssistant, ""));
  chat.messages.push_back(text_message(Role::kUser, "V"));
  REQUIRE(transcript.extend(chat, nullptr).ok());
  CHECK(shown(transcript.ids(), *tokenizer) ==
        "<bos><start_of_turn>user\nS\n\nU<end_of_turn>\n<start_of_turn>model\n"
        "{\"tool\": \"file\", \"args\": " +
            kExampleArguments +
            "}<end_of_turn>\n<start_of_turn>user\nV<end_of_turn>\n<start_of_turn>model\n");
}

TEST_CASE("transcript: the plain form is the one of the family generic") {
  const std::optional<CallForm> generic = call_form(**find_format("generic"));
  const CallForm plain = plain_call_form();
  REQUIRE(generic);
  CHECK(to_text(generic->lead) == to_text(plain.lead));
  CHECK(to_text(generic->close) == to_text(plain.close));
  CHECK(generic->in_quotes == plain.in_quotes);
  REQUIRE(generic->middle.size() == 1);
  CHECK(std::get<std::string>(generic->middle[0]) == std::get<std::string>(plain.middle[0]));
}

TEST_CASE("transcript: Mistral's user turns directly follow results") {
  const FormatFamily& family = **find_format("mistral-v13-tekken");
  const auto tokenizer = tokenizer_of(family);
  ChatRequest chat = example_chat(true);
  chat.messages.push_back(example_call());
  chat.messages.push_back(example_result());
  chat.messages.push_back(text_message(Role::kUser, "V"));
  const auto rest = render_continuation(family, chat, 3, ReplyEnd::kArguments);
  REQUIRE(rest.ok());
  CHECK(to_text(*rest) == "</s>[TOOL_RESULTS]R[/TOOL_RESULTS][INST]V[/INST]");
}

TEST_CASE("transcript: without a reply, the same prompt is sent again") {
  const FormatFamily& family = **find_format("chatml");
  const auto tokenizer = tokenizer_of(family);
  Transcript transcript(family, *tokenizer);
  const ChatRequest chat = example_chat(false);
  REQUIRE(transcript.extend(chat, nullptr).ok());
  const std::vector<TokenId> once = transcript.ids();
  REQUIRE(transcript.extend(chat, nullptr).ok());
  CHECK(transcript.ids() == once);
}

// A growing conversation of calls with these results.
struct Grown {
  Grown(const FormatFamily& family, const CallForm& form, Tokenizer& tokenizer,
        const std::vector<std::string>& results)
      : transcript(family, tokenizer), chat(example_chat(true)) {
    for (const std::string& result : results) {
      REQUIRE(transcript.extend(chat, &form.lead).ok());
      transcript.generated(generated_call(form, tokenizer), true, ReplyEnd::kArguments);
      chat.messages.push_back(example_call());
      chat.messages.push_back(example_result());
      chat.messages.back().content = text_message(Role::kTool, result).content;
    }
  }

  Transcript transcript;
  ChatRequest chat;
};

TEST_CASE("transcript: a side question leaves no trace in the conversation, in every family") {
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "U")};
    Transcript transcript(family, *tokenizer);
    const auto ask_beside = [&] {
      Transcript aside = transcript;
      aside.forget_open_turn();
      ChatRequest with_question = chat;
      with_question.messages.push_back(text_message(Role::kUser, "Q"));
      REQUIRE(aside.extend(with_question, nullptr).ok());
      Transcript fresh = transcript;
      fresh.forget_open_turn();
      CHECK(shown(aside.ids(), *tokenizer).find('Q') != std::string::npos);
      CHECK(aside.ids().size() > transcript.ids().size());
      CHECK(std::equal(fresh.ids().begin(), fresh.ids().end(), aside.ids().begin()));
    };
    REQUIRE(transcript.extend(chat, nullptr).ok());
    ask_beside();
    transcript.generated(std::vector<TokenId>{'o', 'k', kEnd}, true, ReplyEnd::kByModel);
    chat.messages.push_back(text_message(Role::kAssistant, "ok"));
    chat.messages.push_back(text_message(Role::kUser, "V"));
    REQUIRE(transcript.extend(chat, nullptr).ok());
    const std::vector<TokenId> before = transcript.ids();
    ask_beside();
    CHECK(transcript.expected_cached() > 0);
    transcript.forget_open_turn();
    CHECK(transcript.ids().size() < before.size());
    REQUIRE(transcript.extend(chat, nullptr).ok());
    CHECK(transcript.ids() == before);
  }
}

TEST_CASE("transcript: gone through again it is the same, token for token, in every family") {
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "U")};
    Transcript first(family, *tokenizer);
    Transcript again(family, *tokenizer);
    for (const bool thinks : {false, true}) {
      REQUIRE(first.extend(chat, nullptr).ok());
      if (thinks) first.begun(std::vector<TokenId>{'h', 'm'}, 1);
      first.generated(std::vector<TokenId>{'o', 'k', kEnd}, true, ReplyEnd::kByModel);
      REQUIRE(again.extend(chat, nullptr).ok());
      again.restore(first.last_reply());
      CHECK(again.ids() == first.ids());
      CHECK(again.expected_cached() == first.expected_cached());
      chat.messages.push_back(text_message(Role::kAssistant, "ok"));
      chat.messages.push_back(text_message(Role::kUser, "V"));
    }
    REQUIRE(first.extend(chat, nullptr).ok());
    REQUIRE(again.extend(chat, nullptr).ok());
    CHECK(again.ids() == first.ids());
  }
}

TEST_CASE("transcript: a compacted one equals one without the removed turns, in every family") {
  struct Row {
    const char* name;
    std::vector<std::size_t> kept;     // kept exchanges
    std::vector<std::string> results;  // their results; a changed text means a cleared result
  };
  const std::vector<std::string> before = {"one", "two", "three", "four", "five"};
  for (const FormatFamily& family : format_families()) {
    const std::optional<CallForm> form = call_form(family);
    if (!form) continue;
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    for (const Row& row :
         {Row{"nothing", {0, 1, 2, 3, 4}, before},
          Row{"the first leaves", {1, 2, 3, 4}, {"two", "three", "four", "five"}},
          Row{"some of the middle leave", {0, 3, 4}, {"one", "four", "five"}},
          Row{"a result gives way", {0, 1, 2, 3, 4}, {"one", "marker", "three", "four", "five"}},
          Row{"both", {0, 2, 4}, {"marker", "three", "marker, longer"}},
          Row{"all but the last leave", {4}, {"five"}}, Row{"all leave", {}, {}}}) {
      CAPTURE(row.name);
      Grown grown(family, *form, *tokenizer, before);
      REQUIRE(grown.transcript.extend(grown.chat, nullptr).ok());  // requested, but without a reply
      const std::vector<TokenId> old = grown.transcript.ids();
      const long long cached = grown.transcript.expected_cached();
      Grown fresh(family, *form, *tokenizer, row.results);
      std::vector<std::size_t> origins = {0, 1};
      for (std::size_t i = 0; i < row.kept.size(); ++i) {
        const std::size_t call = 2 + 2 * row.kept[i];
        const bool same = row.results[i] == before[row.kept[i]];
        origins.push_back(call);
        origins.push_back(same ? call + 1 : Transcript::kChanged);
      }
      const Status compacted = grown.transcript.compact(fresh.chat, origins);
      REQUIRE_MESSAGE(compacted.ok(), compacted.error().message);
      const auto& ids = grown.transcript.ids();
      const auto same = std::mismatch(old.begin(), old.end(), ids.begin(), ids.end()).first;
      CHECK(grown.transcript.expected_cached() == std::min<long long>(cached, same - old.begin()));
      REQUIRE(grown.transcript.extend(fresh.chat, &form->lead).ok());
      REQUIRE(fresh.transcript.extend(fresh.chat, &form->lead).ok());
      if (family.name == "kimi-k2") continue;  // its calls keep their numbers
      CHECK(shown(ids, *tokenizer) == shown(fresh.transcript.ids(), *tokenizer));
      CHECK(ids == fresh.transcript.ids());
    }
  }
}

// An unconstrained reply has no lead, so the text before it is written again.
TEST_CASE("transcript: compacted, replies that were begun in different ways meet") {
  for (const FormatFamily& family : format_families()) {
    const std::optional<CallForm> form = call_form(family);
    if (!form) continue;
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    const auto grow = [&](bool with_call) {
      Transcript transcript(family, *tokenizer);
      ChatRequest chat = example_chat(true);
      if (with_call) {
        REQUIRE(transcript.extend(chat, &form->lead).ok());
        transcript.generated(generated_call(*form, *tokenizer), true, ReplyEnd::kArguments);
        chat.messages.push_back(example_call());
        chat.messages.push_back(example_result());
      }
      REQUIRE(transcript.extend(chat, nullptr).ok());
      transcript.generated(std::vector<TokenId>{'o', 'k', kEnd}, true, ReplyEnd::kByModel);
      chat.messages.push_back(text_message(Role::kAssistant, "ok"));
      chat.messages.push_back(text_message(Role::kUser, "U"));
      return std::pair(std::move(transcript), std::move(chat));
    };
    auto [transcript, chat] = grow(true);
    auto [fresh, left] = grow(false);
    REQUIRE(transcript.compact(left, std::vector<std::size_t>{0, 1, 4, 5}).ok());
    REQUIRE(transcript.extend(left, nullptr).ok());
    REQUIRE(fresh.extend(left, nullptr).ok());
    CHECK(transcript.ids() == fresh.ids());
  }
}

// Replies with thinking have a different opening, independent of the next reply.
TEST_CASE("transcript: compacted, each reply stays opened as it was") {
  const FormatFamily quiet = **find_format("hermes");
  FormatFamily thinking = quiet;
  std::get<TurnRules>(thinking.rules).reply += "<think>\n";
  const auto tokenizer = tokenizer_of(quiet);
  struct Asked {
    const char* user;
    bool thinks;
  };
  const auto grow = [&](const std::vector<Asked>& rounds) {
    Transcript transcript(quiet, *tokenizer);
    ChatRequest chat;
    chat.messages = {text_message(Role::kSystem, "S")};
    for (const Asked& one : rounds) {
      chat.messages.push_back(text_message(Role::kUser, one.user));
      transcript.open_as(one.thinks ? thinking : quiet);
      REQUIRE(transcript.extend(chat, nullptr).ok());
      if (one.thinks) transcript.begun(std::vector<TokenId>{'h', 'm'}, 1);
      transcript.generated(std::vector<TokenId>{'o', 'k', kEnd}, true, ReplyEnd::kByModel);
      chat.messages.push_back(text_message(Role::kAssistant, "ok"));
    }
    chat.messages.push_back(text_message(Role::kUser, "U"));
    return std::pair(std::move(transcript), std::move(chat));
  };
  struct Row {
    const char* what;
    std::vector<Asked> left;
    std::vector<std::size_t> origins;
  };
  // Removes one exchange, and changes the text of another message.
  for (const Row& row : {
           Row{"the first", {{"b", true}, {"long", true}}, {0, Transcript::kChanged, 2, 3, 6, 7}},
           Row{"one between", {{"a", true}, {"b", true}}, {0, 1, 2, Transcript::kChanged, 6, 7}},
       }) {
    CAPTURE(row.what);
    auto [transcript, chat] = grow({{"a", true}, {"long", false}, {"c", true}});
    auto [fresh, left] = grow(row.left);
    transcript.open_as(quiet);
    fresh.open_as(quiet);
    REQUIRE(transcript.compact(left, row.origins).ok());
    REQUIRE(transcript.extend(left, nullptr).ok());
    REQUIRE(fresh.extend(left, nullptr).ok());
    CHECK(shown(transcript.ids(), *tokenizer) == shown(fresh.ids(), *tokenizer));
    CHECK(transcript.ids() == fresh.ids());
  }
}

}  // namespace pedro
