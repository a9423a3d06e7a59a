#include <string>
#include <vector>

#include "chat/sample_request.h"
#include "template_learner/call_text.h"
#include "template_learner/lesson.h"

namespace pedro {
namespace {

using Thinking = TurnRules::Thinking;

bool has_thinking(const std::string& text) {
  return text.find(mark::kThinking) != std::string::npos;
}

class ThinkingLearner {
 public:
  explicit ThinkingLearner(Lesson& lesson) : lesson_(lesson) {
    const ChatMessage user = user_message(mark::kUser);
    const ChatMessage first = user_message("Go.");
    const ChatMessage result = result_message(sample_call(0).call, mark::kResult);
    const ChatMessage call = calling_message({sample_call(0).call});
    const auto thinks = [](const ChatMessage& message) {
      return with_thinking(mark::kThinking, message);
    };
    last_call_ = request({user, thinks(call), result});
    old_answer_ = request({first, thinks(answer_message(mark::kAnswer)), user});
    old_call_ = request({first, thinks(call), result, user});
    none_ = request({user, call, result});
    padded_ = request({user, with_thinking("\n" + mark::kThinking + "\n", call), result});
  }

  Result<bool> run() {
    PEDRO_TRY(const auto text, lesson_.text(last_call_));
    const auto cut = CallText::cut(text, 1, 1);
    if (!cut || !has_thinking(cut->text())) return leave_out();
    const std::string marks[] = {mark::kThinking};
    const auto pieces = cut_at_marks(cut->up_to(cut->call(0)), marks);
    PEDRO_TRY(const auto old_answer, lesson_.text(old_answer_));
    PEDRO_TRY(const auto old_call, lesson_.text(old_call_));
    const Thinking kept = has_thinking(old_answer) ? Thinking::kAlways
                          : has_thinking(old_call) ? Thinking::kAfterAnswer
                                                   : Thinking::kAfterUser;
    const Result<bool> found = adopt(candidates(pieces, kept));
    if (!found || !*found) return found;
    if (kept != Thinking::kAlways) {
      lesson_.note(FormatGap::Kind::kThinking, "the thinking of earlier turns is omitted");
    }
    PEDRO_RETURN_IF_ERROR(find_trims());
    return true;
  }

 private:
  ChatRequest request(std::vector<ChatMessage> messages) const {
    return conversation(std::move(messages), sample_tools(lesson_.rules.tool.empty() ? 0 : 1));
  }

  Result<bool> leave_out() {
    lesson_.note(FormatGap::Kind::kThinking, "thinking is not written");
    const ChatRequest both[] = {last_call_, old_answer_};
    return lesson_.agrees_on_all(lesson_.rules, both);
  }

  Result<bool> adopt(const std::vector<TurnRules>& candidates) {
    const ChatRequest checks[] = {last_call_, old_answer_, old_call_, none_};
    for (const TurnRules& candidate : candidates) {
      PEDRO_TRY(const auto same, lesson_.agrees_on_all(candidate, checks));
      if (!same) continue;
      lesson_.rules = candidate;
      return true;
    }
    lesson_.note(FormatGap::Kind::kThinking,
                 "thinking is written in a way that pieces cannot express");
    return false;
  }

  // Returns candidates. The opening of a turn may include the text for missing thinking.
  std::vector<TurnRules> candidates(const std::vector<std::string>& pieces, Thinking kept) const {
    std::vector<TurnRules> out;
    if (pieces.size() != 2) return out;
    TurnRules rules = lesson_.rules;
    std::string before = pieces[0];
    std::string behind = pieces[1];
    const std::string close =
        rules.user.substr(rules.user.find(TurnRules::kContent) + TurnRules::kContent.size());
    if (!take_prefix(before, close)) return out;
    const std::string call_open = rules.calls + rules.call.substr(0, rules.call.find("{{"));
    if (!take_suffix(behind, call_open)) return out;
    const std::string common(lesson_.cutter.common_prefix(before, rules.assistant));
    const bool known = !rules.no_thinking.empty();  // then the opening does not include it
    const std::string none = known ? rules.no_thinking : rules.assistant.substr(common.size());
    take_prefix(before, common);
    rules.thinking = before + std::string(TurnRules::kContent) + behind;
    rules.thinking_kept = kept;
    if (!known) take_suffix(rules.assistant_after_result, none);
    rules.assistant = common;
    rules.no_thinking = none;
    rules.old_thinking = none;
    if (!known) out.push_back(rules);
    rules.old_thinking = "";
    out.push_back(rules);
    return out;
  }

  Status find_trims() {
    for (const bool trims : {false, true}) {
      TurnRules candidate = lesson_.rules;
      candidate.trims_thinking = trims;
      PEDRO_TRY(const auto same, lesson_.agrees(candidate, padded_));
      if (!same) continue;
      lesson_.rules = candidate;
      return look_at_answers();
    }
    lesson_.note(FormatGap::Kind::kBlanks, "line ends around thinking are written differently");
    return {};
  }

  // Checks answers with leading line ends, which a template may trim even without thinking.
  Status look_at_answers() {
    const ChatMessage user = user_message(mark::kUser);
    PEDRO_TRY(const auto same,
              lesson_.agrees(lesson_.rules,
                             conversation({user, answer_message("\n\n " + mark::kAnswer), user})));
    if (!same)
      lesson_.note(FormatGap::Kind::kBlanks, "line ends before an answer are written differently");
    return {};
  }

  Lesson& lesson_;
  ChatRequest last_call_;   // this call has thinking
  ChatRequest old_answer_;  // this answer has thinking, and a question follows
  ChatRequest old_call_;
  ChatRequest none_;
  ChatRequest padded_;
};

}  // namespace

Result<bool> learn_thinking(Lesson& lesson) {
  return ThinkingLearner(lesson).run();
}

}  // namespace pedro
