#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "chat/sample_request.h"
#include "chat_format/message_text.h"
#include "chat_format/turn_render.h"
#include "template_learner/lesson.h"

namespace pedro {
namespace {

constexpr std::string_view kSystemPlace = "{{system}}";

// Contents of the conversations that check the rules.
constexpr const char* kPrompt = "You are \"brief\".";
constexpr const char* kQuestion = "Where is it?\nAnd what?";

Error unusable(std::string_view what) {
  return Error{ErrorKind::kModel,
               fmt::format("the chat template does not write {} exactly once and in order; start "
                           "the server with another --chat-template",
                           what)};
}

std::string piece(std::string_view before, std::string_view value, std::string_view behind) {
  return fmt::format("{}{}{}", before, value, behind);
}

/// Learns the parts of all conversations first, then optional ones.
class TurnLearner {
 public:
  TurnLearner(Lesson& lesson, Tokenizer& tokenizer) : lesson_(lesson), tokenizer_(tokenizer) {}

  Result<bool> run() {
    for (const auto step :
         {&TurnLearner::read_chat, &TurnLearner::find_names, &TurnLearner::split_user,
          &TurnLearner::split_turns, &TurnLearner::read_system, &TurnLearner::read_later_system,
          &TurnLearner::find_begin, &TurnLearner::find_blanks, &TurnLearner::find_empty_system}) {
      PEDRO_RETURN_IF_ERROR((this->*step)());
    }
    return check();
  }

 private:
  TurnRules& rules() { return lesson_.rules; }

  // Splits: b0 U b1, and c0 U c1 A c2 U c3 A c4 U c5
  Status read_chat() {
    const std::string first[] = {mark::kUser};
    PEDRO_TRY(auto question, lesson_.cut(conversation({user_message(mark::kUser)}), first));
    if (question.empty()) return unusable("a question");
    question_ = std::move(question);
    const std::string all[] = {mark::kUser, mark::kAnswer, mark::kUser2, mark::kAnswer2,
                               mark::kUser3};
    PEDRO_TRY(auto chat, lesson_.cut(conversation({user_message(all[0]), answer_message(all[1]),
                                                   user_message(all[2]), answer_message(all[3]),
                                                   user_message(all[4])}),
                                     all));
    if (chat.empty()) return unusable("questions and answers");
    chat_ = std::move(chat);
    const std::string both[] = {mark::kSystem, mark::kUser};
    PEDRO_TRY(auto system,
              lesson_.cut(conversation({system_message(both[0]), user_message(both[1])}), both));
    system_ = std::move(system);
    return {};
  }

  Status find_names() {
    std::vector<std::string> texts = question_;
    texts.insert(texts.end(), chat_.begin(), chat_.end());
    texts.insert(texts.end(), system_.begin(), system_.end());
    PEDRO_TRY(TokenNames names, find_token_names(texts, tokenizer_));
    lesson_.cutter = TemplateCutter(std::move(names));
    return {};
  }

  // Finds the start and the end of a user's turn. Compares two consecutive user turns and a turn
  // without an opened reply, if the template writes these.
  Status split_user() {
    const std::string one[] = {mark::kUser};
    const std::string two[] = {mark::kUser, mark::kUser2};
    PEDRO_TRY(const auto closed,
              lesson_.cut(conversation({user_message(mark::kUser)}), one, {.opens_reply = false}));
    PEDRO_TRY(const auto pair,
              lesson_.cut(conversation({user_message(two[0]), user_message(two[1])}), two));
    const std::string end = closed.empty() ? "" : closed.back();
    std::string between = pair.empty() ? "" : pair[1];
    if (take_prefix(between, end) && can_open(between) && can_close(end)) {
      open_ = between;
      close_ = end;
      return {};
    }
    open_ = lesson_.cutter.common_suffix(question_[0], chat_[2]);
    if (open_.size() > end.size()) take_prefix(open_, end);
    between = pair.empty() ? "" : pair[1];
    if (!open_.empty() && take_suffix(between, open_)) {
      close_ = between;
    } else {
      close_ = end.empty() ? question_[1] : end;
    }
    // The end of a user's turn precedes both an answer and a reply.
    close_ = lesson_.cutter.common_prefix(close_, chat_[1]);
    close_ = lesson_.cutter.common_prefix(close_, question_[1]);
    return {};
  }

  bool can_open(std::string_view text) const {
    return !text.empty() && question_[0].ends_with(text) && chat_[2].ends_with(text);
  }

  bool can_close(std::string_view text) const {
    return question_[1].starts_with(text) && chat_[1].starts_with(text);
  }

  Status split_turns() {
    rules().user = piece(open_, TurnRules::kContent, close_);
    rules().assistant = chat_[1].substr(close_.size());
    rules().assistant_end = chat_[2].substr(0, chat_[2].size() - open_.size());
    rules().assistant_after_result = rules().assistant;
    rules().text = TurnRules::kContent;
    rules().text_with_calls = TurnRules::kContent;
    rules().reply = question_[1].substr(close_.size());
    rules().reply_after_result = rules().reply;
    rules().head_none = question_[0].substr(0, question_[0].size() - open_.size());
    return {};
  }

  Status read_system() {
    std::string before = system_.empty() ? "" : system_[0];
    std::string behind = system_.empty() ? "" : system_[1];
    const bool in_head = !system_.empty() && take_suffix(behind, open_);
    const bool in_user = !system_.empty() && !in_head && take_suffix(before, open_);
    if (!in_head && !in_user) {
      lesson_.note(FormatGap::Kind::kSystem,
                   "a system message is not written, or the template refuses it: it is put above "
                   "the first user's text");
      rules().first_user_system = piece(kSystemPlace, kEmptyLine, "");
      rules().head = rules().head_none;
      return {};
    }
    if (in_head) {
      rules().head = piece(before, kSystemPlace, behind);
      return {};
    }
    rules().head = before;
    rules().head_none = before;
    rules().first_user_system = piece(kSystemPlace, behind, "");
    return {};
  }

  // Learns a later system message: its own turn, a part of the first one, or a user's turn.
  Status read_later_system() {
    rules().system = rules().user;
    const std::vector<ChatMessage> messages = {
        system_message(mark::kSystem), user_message(mark::kUser), answer_message(mark::kAnswer),
        system_message(mark::kLaterSystem), user_message(mark::kUser2)};
    const std::string placed[] = {mark::kSystem, mark::kUser, mark::kAnswer, mark::kLaterSystem,
                                  mark::kUser2};
    PEDRO_TRY(const auto own, lesson_.cut(conversation(messages), placed));
    if (!own.empty()) {
      std::string before = own[3];
      std::string behind = own[4];
      if (take_prefix(before, rules().assistant_end) && take_suffix(behind, open_)) {
        rules().system = piece(before, TurnRules::kContent, behind);
        return {};
      }
    }
    const std::string joined[] = {mark::kSystem, mark::kLaterSystem, mark::kUser, mark::kAnswer,
                                  mark::kUser2};
    PEDRO_TRY(const auto together, lesson_.cut(conversation(messages), joined));
    rules().joins_system = !together.empty() && together[1] == kEmptyLine &&
                           !rules().head.empty() && rules().first_user_system.empty();
    if (!rules().joins_system) {
      lesson_.note(FormatGap::Kind::kSystem,
                   "later system messages are not written as such, or refused: they are written as "
                   "the user's");
    }
    return {};
  }

  // Finds a token that begins every conversation and occurs nowhere else.
  Status find_begin() {
    for (const std::string& name : lesson_.cutter.names().control) {
      if (!rules().head.starts_with(name) || !rules().head_none.starts_with(name)) continue;
      if (chat_[0].find(name, name.size()) != std::string::npos) continue;
      const bool again = std::any_of(chat_.begin() + 1, chat_.end(), [&](const std::string& text) {
        return text.find(name) != std::string::npos;
      });
      if (again) continue;
      rules().begin = name;
      take_prefix(rules().head, name);
      take_prefix(rules().head_none, name);
      break;
    }
    if (!rules().head_none.empty() && rules().first_user_system.empty()) {
      lesson_.note(FormatGap::Kind::kOwnPrompt,
                   "without a system prompt the template writes one of its own");
    }
    return {};
  }

  Status find_blanks() {
    const auto padded = [](const std::string& text) { return "\n " + text + " \n"; };
    const std::vector<ChatMessage> messages = {
        system_message(padded(mark::kSystem)), user_message(padded(mark::kUser)),
        answer_message(padded(mark::kAnswer)), user_message(padded(mark::kUser2))};
    PEDRO_TRY(const bool all, find_trims(conversation(messages)));
    if (all) return {};
    lesson_.note(FormatGap::Kind::kBlanks, "blanks around contents are written differently");
    const Result<bool> some = find_trims(conversation({messages.begin() + 1, messages.end()}));
    return some ? Status() : Status(some.error());
  }

  Result<bool> find_trims(const ChatRequest& request) {
    for (unsigned trims = 0; trims < 8; ++trims) {
      TurnRules candidate = rules();
      candidate.trims_system = (trims & 1U) != 0;
      candidate.trims_user = (trims & 2U) != 0;
      candidate.trims_assistant = (trims & 4U) != 0;
      PEDRO_TRY(const bool same, lesson_.agrees(candidate, request));
      if (!same) continue;
      rules() = candidate;
      return true;
    }
    return false;
  }

  Status find_empty_system() {
    const ChatRequest request = conversation({system_message(""), user_message(mark::kUser)});
    for (const bool counts : {true, false}) {
      TurnRules candidate = rules();
      candidate.empty_system = counts;
      candidate.empty_system_with_tools = counts;
      PEDRO_TRY(const bool same, lesson_.agrees(candidate, request));
      if (!same) continue;
      rules() = candidate;
      return {};
    }
    lesson_.note(FormatGap::Kind::kEmpty, "a system message without text is written differently");
    return {};
  }

  Result<bool> check() {
    PEDRO_TRY(const bool turns, check_turns(lesson_));
    const ChatMessage user = user_message(kQuestion);
    const ChatRequest empty =
        conversation({system_message(kPrompt), user, answer_message(""), user});
    PEDRO_TRY(const bool same, lesson_.agrees(rules(), empty));
    if (!same)
      lesson_.note(FormatGap::Kind::kEmpty, "an answer without text is written differently");
    return turns;
  }

  Lesson& lesson_;
  Tokenizer& tokenizer_;
  std::vector<std::string> question_;
  std::vector<std::string> chat_;
  std::vector<std::string> system_;  // empty: no system prompt before a question
  std::string open_;                 // start of a user's turn
  std::string close_;                // end of a user's turn
};

}  // namespace

Result<bool> check_turns(Lesson& lesson) {
  const ChatMessage system = system_message(kPrompt);
  const ChatMessage user = user_message(kQuestion);
  const ChatMessage answer = answer_message("Here.");
  const std::pair<const char*, ChatRequest> checks[] = {
      {"a question", conversation({user})},
      {"a question after a system prompt", conversation({system, user})},
      {"a second question after a system prompt", conversation({system, user, answer, user})},
      {"two answers", conversation({user, answer, user, answer, user})}};
  bool all = true;
  for (const auto& [what, request] : checks) {
    PEDRO_TRY(const bool same, lesson.agrees(lesson.rules, request));
    if (!same) lesson.note(FormatGap::Kind::kTurns, fmt::format("{} is written differently", what));
    all = all && same;
  }
  return all;
}

Result<bool> learn_turns(Lesson& lesson, Tokenizer& tokenizer) {
  return TurnLearner(lesson, tokenizer).run();
}

}  // namespace pedro
