#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "chat/sample_request.h"
#include "chat_format/python_json.h"
#include "template_learner/call_text.h"
#include "template_learner/lesson.h"

namespace pedro {
namespace {

// Returns the part of a piece after its last {{value}}; "" if it has none.
std::string behind_last_value(std::string_view piece) {
  const std::size_t begin = piece.rfind("{{");
  const std::size_t end = begin == std::string_view::npos ? begin : piece.find("}}", begin);
  return end == std::string_view::npos ? "" : std::string(piece.substr(end + 2));
}

class CallLearner {
 public:
  CallLearner(Lesson& lesson, Tokenizer& tokenizer) : lesson_(lesson), tokenizer_(tokenizer) {
    const std::string& user = lesson.rules.user;
    close_ = user.substr(user.find(TurnRules::kContent) + TurnRules::kContent.size());
  }

  Result<LearnedCalls> run() {
    for (const auto step : {&CallLearner::ask, &CallLearner::learn_one}) {
      PEDRO_TRY(const bool done, (this->*step)());
      if (!done) return out_;
    }
    out_.calls = true;
    PEDRO_RETURN_IF_ERROR(learn_text());
    PEDRO_TRY(const bool thinking, learn_thinking(lesson_));
    out_.thinking = thinking;
    PEDRO_RETURN_IF_ERROR(find_blanks());
    PEDRO_RETURN_IF_ERROR(check_again());
    return out_;
  }

 private:
  bool writes_tools() const { return !lesson_.rules.tool.empty(); }

  // Omits tools if the rules do not write them.
  ChatRequest request(std::vector<ChatMessage> messages, int tools) const {
    return conversation(std::move(messages), sample_tools(writes_tools() ? tools : 0));
  }

  Result<bool> fail(FormatGap::Kind kind, std::string what) {
    lesson_.note(kind, std::move(what));
    return false;
  }

  Result<bool> ask() {
    const ChatMessage user = user_message(mark::kUser);
    const RequestedCall& one = sample_call(0).call;
    const RequestedCall& two = sample_call(1).call;
    const ChatMessage first = result_message(one, mark::kResult);
    one_request_ = request({user, calling_message({one}), first}, 1);
    two_request_ =
        request({user, calling_message({one, two}), first, result_message(two, mark::kResult2)}, 2);
    answered_request_ = request({user, calling_message({one}), first, answer_message(mark::kAnswer),
                                 user_message(mark::kUser2)},
                                1);
    PEDRO_TRY(auto text, lesson_.text(one_request_));
    PEDRO_TRY(auto pair, lesson_.text(two_request_));
    PEDRO_TRY(auto closed, lesson_.text(one_request_, {.opens_reply = false}));
    PEDRO_TRY(auto answered, lesson_.text(answered_request_));
    const std::vector<std::string> texts = {text, pair, answered};
    PEDRO_TRY(const auto names, find_token_names(texts, tokenizer_));
    lesson_.cutter.add(names);
    if (text.find(sample_call(0).values[0]) == std::string::npos) {
      return fail(FormatGap::Kind::kCalls, "the template does not write calls");
    }
    if (text.find(mark::kResult) == std::string::npos) {
      return fail(FormatGap::Kind::kResults, "the template does not write results");
    }
    one_ = CallText::cut(text, 1, 1);
    two_ = CallText::cut(pair, 2, 2);
    answered_ = CallText::cut(answered, 1, 1);
    closed_ = CallText::cut(closed, 1, 1);
    if (!one_)
      return fail(FormatGap::Kind::kCalls, "a call and its result do not come in order, each once");
    find_unthinking();
    return true;
  }

  // Finds the text that replaces missing thinking in a turn with a call. It disappears when the
  // next user turn follows.
  void find_unthinking() {
    if (!answered_) return;
    const std::string now = one_->up_to(one_->call(0));
    const std::string later = answered_->up_to(answered_->call(0));
    if (now.size() <= later.size()) return;
    const std::string_view common = lesson_.cutter.common_prefix(now, later);
    if (!now.ends_with(later.substr(common.size()))) return;
    unthinking_ = now.substr(common.size(), now.size() - later.size());
  }

  // Learns one call, its result and the text after it; also a second call and result, if possible.
  Result<bool> learn_one() {
    TurnRules rules = lesson_.rules;
    const bool several = two_ && split_several(rules);
    if (!several && !split_single(rules)) {
      return fail(FormatGap::Kind::kCalls,
                  "a turn with a call begins differently from one without");
    }
    if (!split_parameters(rules)) {
      return fail(FormatGap::Kind::kCalls, "the template writes calls in an unknown syntax");
    }
    split_end(rules, several);
    PEDRO_TRY(const bool same, settle_replies(rules));
    if (!same) {
      return fail(FormatGap::Kind::kCalls,
                  "calls and results are written in a way that pieces cannot express");
    }
    PEDRO_TRY(const bool both, several ? lesson_.agrees(rules, two_request_) : several);
    out_.several = both;
    if (!both) {
      lesson_.note(FormatGap::Kind::kCalls,
                   "a second call in a turn is refused, omitted or written differently");
      rules.one_call = true;
    }
    lesson_.rules = rules;
    return true;
  }

  // Splits: calls call_open CALL call_close call_between call_open CALL call_close … RESULT
  bool split_several(TurnRules& rules) {
    std::string before = two_->up_to(two_->call(0));
    if (two_->call(0).piece != two_->call(1).piece || before != one_->up_to(one_->call(0)) ||
        two_->result(0).piece != two_->result(1).piece || !take_opening(before, rules)) {
      return false;
    }
    const TemplateCutter& cutter = lesson_.cutter;
    std::string between = two_->between(two_->call(0), two_->call(1));
    const std::string open(cutter.common_suffix(between, before));
    take_suffix(between, open);
    const std::string end = two_->between(two_->call(1), two_->result(0));
    const std::string close(cutter.common_prefix(between, end));
    rules.calls = before.substr(0, before.size() - open.size());
    rules.call = open + two_->call(0).piece + close;
    rules.call_between = between.substr(close.size());
    ending_ = end.substr(close.size());
    return true;
  }

  bool split_single(TurnRules& rules) {
    std::string before = one_->up_to(one_->call(0));
    if (!take_opening(before, rules)) return false;
    rules.calls = before;
    rules.call = one_->call(0).piece;
    rules.call_between = "";
    ending_ = one_->between(one_->call(0), one_->result(0));
    return true;
  }

  // Removes the opening of the turn from `before`. If a turn with a call opens differently, the
  // common part becomes the opening. The rest belongs to the text.
  bool take_opening(std::string& before, TurnRules& rules) const {
    if (!take_prefix(before, close_)) return false;
    const std::string common(lesson_.cutter.common_prefix(before, rules.assistant));
    take_prefix(before, common);
    if (common == rules.assistant && !unthinking_.empty() && take_prefix(before, unthinking_)) {
      rules.no_thinking = unthinking_;
      rules.thinking_kept = TurnRules::Thinking::kAfterUser;
    }
    const std::string rest = rules.assistant.substr(common.size());
    rules.assistant = common;
    rules.text = rest + std::string(TurnRules::kContent);
    rules.text_with_calls = "";
    return true;
  }

  // Replaces {{key}} and {{value}} by {{parameters}}.
  bool split_parameters(TurnRules& rules) {
    if (rules.call.find("{{key}}") == std::string::npos) {
      return rules.call.find("{{value}}") == std::string::npos && !has_sample_words(rules.call);
    }
    const std::string marks[] = {"{{key}}", "{{value}}"};
    const std::size_t second = rules.call.find(marks[0], rules.call.find(marks[0]) + 1);
    if (second == std::string::npos) return false;
    // before KEY middle VALUE between KEY middle VALUE behind
    const auto head = cut_at_marks(std::string_view(rules.call).substr(0, second), marks);
    const auto tail = cut_at_marks(std::string_view(rules.call).substr(second), marks);
    if (head.empty() || tail.empty() || head[1] != tail[1]) return false;
    const std::string& before = head[0];
    const std::string& between = head[2];
    const std::string& behind = tail[2];
    // Chooses the split of `between` with the longest beginning.
    for (std::size_t at = 0; at <= between.size(); ++at) {
      const std::string_view end = std::string_view(between).substr(0, at);
      const std::string_view begin = std::string_view(between).substr(at);
      if (!before.ends_with(begin)) continue;
      std::string rest = behind;
      if (!fits(rest, end, rules)) continue;
      rules.parameter = fmt::format("{}{{{{name}}}}{}{{{{value}}}}{}", begin, head[1], end);
      rules.call = before.substr(0, before.size() - begin.size()) + "{{parameters}}" + rest;
      return !has_sample_words(rules.call);
    }
    return false;
  }

  // Removes the end of a parameter after the last one too. It starts `behind`, in the call; if
  // `behind` is empty, it starts the text after the call.
  bool fits(std::string& behind, std::string_view end, const TurnRules& rules) {
    if (take_prefix(behind, end)) return true;
    if (!rules.call_between.empty() || !behind.empty() || !ending_.starts_with(end)) return false;
    ending_.erase(0, end.size());
    return true;
  }

  // Splits: calls_end assistant_end results RESULT result_between RESULT results_end
  void split_end(TurnRules& rules, bool several) {
    std::string ending = ending_;
    const std::size_t closed =
        rules.assistant_end.empty() ? std::string::npos : ending.find(rules.assistant_end);
    if (closed != std::string::npos) {
      rules.calls_end = ending.substr(0, closed);
      ending.erase(0, closed + rules.assistant_end.size());
    } else if (!rules.assistant_end.empty()) {
      // A turn with calls ends differently: with the first token after them.
      rules.text_end = rules.assistant_end;
      rules.assistant_end = "";
      const std::size_t end = lesson_.cutter.end_of_first_name(ending);
      rules.calls_end = ending.substr(0, end == std::string::npos ? 0 : end);
      ending.erase(0, rules.calls_end.size());
    }
    split_results(rules, ending, several);
  }

  void split_results(TurnRules& rules, const std::string& before, bool several) {
    const TemplateCutter& cutter = lesson_.cutter;
    std::string behind = one_->behind(one_->result(0));
    if (closed_) {
      std::string shorter = closed_->behind(closed_->result(0));
      if (behind.starts_with(shorter)) behind = shorter;
    }
    if (!several) {
      rules.results = "";
      rules.result = before + one_->result(0).piece;
      rules.results_end = behind;
      return;
    }
    std::string between = two_->between(two_->result(0), two_->result(1));
    const std::string open(cutter.common_suffix(between, before));
    take_suffix(between, open);
    const std::string close(cutter.common_prefix(between, behind));
    rules.results = before.substr(0, before.size() - open.size());
    rules.result = open + two_->result(0).piece + close;
    rules.result_between = between.substr(close.size());
    rules.results_end = behind.substr(close.size());
  }

  // Learns the openings of a reply and an answer after results. `results_end` may contain a part.
  Result<bool> settle_replies(TurnRules& rules) {
    const std::string behind = one_->behind(one_->result(0));
    const std::string closing = behind_last_value(rules.result);
    const std::string all = closing + rules.results_end;
    std::string opening = behind.starts_with(all) ? behind.substr(all.size()) : "";
    if (opening.empty() && !rules.reply.empty() && all.ends_with(rules.reply) &&
        rules.results_end.ends_with(rules.reply)) {
      take_suffix(rules.results_end, rules.reply);
      opening = rules.reply;
    }
    rules.reply_after_result = opening;
    const std::string end = closing + rules.results_end;
    rules.assistant_after_result = opening_of_answer(rules, end);
    if (rules.assistant_after_result == "?") {
      rules.assistant_after_result = rules.assistant;
    }
    const ChatRequest requests[] = {one_request_, answered_request_};
    const Result<bool> same = lesson_.agrees_on_all(rules, requests);
    if (!same || !*same) return same;
    return find_values(rules);
  }

  // Checks the rules with other arguments and in a longer conversation.
  Result<bool> find_values(TurnRules& rules) {
    RequestedCall rich = sample_call(0).call;
    rich.arguments = python_json_or_string(
        R"({"a": "x \"y\"\nz", "n": 5, "t": true, "l": ["\u00e9", 1.5], "o": {"k": null}})");
    RequestedCall bare = sample_call(1).call;
    bare.arguments = "{}";
    const ChatMessage user = user_message("Go.");
    const ChatRequest longer =
        request({system_message("Use tools."), user, calling_message({rich}),
                 result_message(rich, "Yes."), calling_message({bare}), result_message(bare, "No."),
                 answer_message("So."), user, calling_message({bare}), result_message(bare, "No.")},
                2);
    for (const char* value : {"{{value}}", "{{json_value}}"}) {
      TurnRules candidate = rules;
      candidate.parameter = replace_all(rules.parameter, "{{value}}", value);
      PEDRO_TRY(const bool same, lesson_.agrees(candidate, longer));
      if (!same) continue;
      rules = candidate;
      return true;
    }
    return false;
  }

  // Returns "?" if the opening is unknown.
  std::string opening_of_answer(const TurnRules& rules, const std::string& end) const {
    if (!answered_) return "?";
    std::string behind = answered_->behind(answered_->result(0));
    const std::size_t answer = behind.find(mark::kAnswer);
    if (answer == std::string::npos) return "?";
    behind.resize(answer);
    const std::string text = rules.text.substr(0, rules.text.find(TurnRules::kContent));
    if (!take_prefix(behind, end) || !take_suffix(behind, text)) return "?";
    return behind;
  }

  Status learn_text() {
    TurnRules rules = lesson_.rules;
    const RequestedCall& one = sample_call(0).call;
    const ChatRequest asked =
        request({user_message(mark::kUser), calling_message({one}, mark::kText),
                 result_message(one, mark::kResult)},
                1);
    text_request_ = asked;
    PEDRO_TRY(const auto text, lesson_.text(asked));
    const auto cut = CallText::cut(text, 1, 1);
    if (!cut || cut->text().find(mark::kText) == std::string::npos) {
      lesson_.note(FormatGap::Kind::kText, "text before a call is omitted");
      rules.text_with_calls = "";
      lesson_.rules = rules;
      const auto same = lesson_.agrees(rules, asked);
      if (same && *same) out_.text = true;
      return same ? Status() : Status(same.error());
    }
    std::string before = cut->up_to(cut->call(0));
    const std::string marks[] = {mark::kText};
    const auto pieces = cut_at_marks(before, marks);
    if (pieces.size() == 2) split_text(pieces, rules);
    PEDRO_TRY(const auto same, lesson_.agrees(rules, asked));
    out_.text = same;
    if (same) {
      lesson_.rules = rules;
    } else {
      lesson_.note(FormatGap::Kind::kText,
                   "text beside a call is written differently: it is omitted");
    }
    return {};
  }

  void split_text(const std::vector<std::string>& pieces, TurnRules& rules) const {
    std::string before = pieces[0];
    std::string behind = pieces[1];
    take_prefix(before, close_);
    take_prefix(before, rules.assistant);
    const std::string call_open = rules.call.substr(0, rules.call.find("{{"));
    take_suffix(behind, rules.calls + call_open);
    rules.text_with_calls = before + std::string(TurnRules::kContent);
    rules.calls_after_text = behind;
  }

  Status find_blanks() {
    const RequestedCall& one = sample_call(0).call;
    const auto padded = [](const std::string& text) { return "\n " + text + " \n"; };
    ChatMessage call = calling_message({one}, out_.text ? padded(mark::kText) : "");
    const ChatMessage result = result_message(one, padded(mark::kResult));
    const ChatRequest asked = request({user_message(mark::kUser), std::move(call), result}, 1);
    bool found = false;
    for (unsigned trims = 0; trims < 4 && !found; ++trims) {
      TurnRules candidate = lesson_.rules;
      candidate.trims_calling = (trims & 1U) != 0;
      candidate.trims_results = (trims & 2U) != 0;
      PEDRO_TRY(const auto same, lesson_.agrees(candidate, asked));
      found = same;
      if (found) lesson_.rules = candidate;
    }
    if (!found)
      lesson_.note(FormatGap::Kind::kBlanks,
                   "blanks beside calls and in results are written differently");
    return {};
  }

  // Learning text and thinking may have changed earlier results.
  Status check_again() {
    struct Check {
      bool& learned;
      const ChatRequest& request;
      FormatGap gap;
    };
    Check checks[] = {
        {out_.calls,
         one_request_,
         {FormatGap::Kind::kCalls, "with thinking, calls are written differently"}},
        {out_.calls,
         answered_request_,
         {FormatGap::Kind::kResults,
          "with thinking, an answer after results is written differently"}},
        {out_.several,
         two_request_,
         {FormatGap::Kind::kCalls,
          "with thinking, a second call in a turn is written differently"}},
        {out_.text,
         text_request_,
         {FormatGap::Kind::kText, "with thinking, text before a call is written differently"}}};
    for (Check& check : checks) {
      if (!check.learned) continue;
      PEDRO_TRY(const bool same, lesson_.agrees(lesson_.rules, check.request));
      check.learned = same;
      if (!same) lesson_.note(check.gap.kind, check.gap.what);
    }
    if (!out_.calls) out_ = {};
    return {};
  }

  Lesson& lesson_;
  Tokenizer& tokenizer_;
  LearnedCalls out_;
  ChatRequest text_request_;
  std::string close_;  // end of a user's turn
  ChatRequest one_request_;
  ChatRequest two_request_;
  ChatRequest answered_request_;
  std::optional<CallText> one_;
  std::optional<CallText> two_;
  std::optional<CallText> answered_;
  std::optional<CallText> closed_;  // without an opened reply
  std::string ending_;              // from the last call to the first result
  std::string unthinking_;          // see find_unthinking()
};

}  // namespace

Result<LearnedCalls> learn_calls(Lesson& lesson, Tokenizer& tokenizer) {
  return CallLearner(lesson, tokenizer).run();
}

}  // namespace pedro
