#include "format/learn_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "format/python_json.h"
#include "format/sample_request.h"
#include "format/spelling.h"

namespace pedro {
namespace {

constexpr std::string_view kContent = "{{content}}";

using Kind = FormatGap::Kind;

struct SampleCall {
  RequestedCall call;
  std::string keys[2];
  std::string values[2];
};

// Its words stand nowhere else; the id is one that all templates take.
const SampleCall& sample(int number) {
  static const SampleCall kSamples[] = {
      {{"qcallaone", "qfunctionone",
        R"({"qargumentone": "Qvalueone", "qargumenttwo": "Qvaluetwo"})"},
       {"qargumentone", "qargumenttwo"},
       {"Qvalueone", "Qvaluetwo"}},
      {{"qcallatwo", "qfunctiontwo",
        R"({"qargumentsix": "Qvaluesix", "qargumentten": "Qvalueten"})"},
       {"qargumentsix", "qargumentten"},
       {"Qvaluesix", "Qvalueten"}}};
  return kSamples[number];
}

DeclaredTool tool_of(const RequestedCall& call) {
  return {call.name, "Does it.", R"({"type": "object", "properties": {}})"};
}

// Owners of spellings: calls, their values, and results.
constexpr int kCalls = 0;
constexpr int kResults = 10;

bool has_sample_words(std::string_view text) {
  for (const char* word : {"qcalla", "qfunction", "qargument", "Qvalue", "Qresultqua"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

/// A part of a turn: what stands for it, and where in the text it is.
struct Part {
  std::size_t begin = std::string::npos;
  std::size_t end = 0;
  std::string piece;

  bool found() const { return begin != std::string::npos; }
};

/// What follows the first user's text, cut into calls and results.
class TurnText {
 public:
  // Nothing where they do not come in order, or something is left of them.
  static std::optional<TurnText> cut(const std::string& all, int calls, int results) {
    const std::size_t user = all.find(mark::kUser);
    if (user == std::string::npos) return {};
    TurnText out;
    out.text_ = all.substr(user + mark::kUser.size());
    if (!can_be_piece(out.text_)) return {};
    out.find(calls, results);
    std::size_t at = 0;
    for (const auto* parts : {&out.calls_, &out.results_}) {
      for (const Part& part : *parts) {
        if (!part.found() || part.begin < at) return {};
        at = part.end;
      }
    }
    return out;
  }

  const Part& call(int number) const { return calls_[static_cast<std::size_t>(number)]; }
  const Part& result(int number) const { return results_[static_cast<std::size_t>(number)]; }
  std::string between(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }
  std::string up_to(const Part& part) const { return text_.substr(0, part.begin); }
  std::string behind(const Part& part) const { return text_.substr(part.end); }
  std::string between(const Part& before, const Part& behind) const {
    return between(before.end, behind.begin);
  }
  const std::string& text() const { return text_; }

 private:
  void find(int calls, int results) {
    std::vector<Spelling> spellings;
    for (int i = 0; i < calls; ++i) {
      const SampleCall& one = sample(i);
      const int owner = kCalls + i;
      spellings.push_back({one.call.arguments, "{{arguments}}", owner});
      spellings.push_back({python_json_string(one.call.name), "{{name_json}}", owner});
      spellings.push_back({one.call.name, "{{name}}", owner});
      spellings.push_back({one.call.id, "{{id}}", owner});
      for (int j = 0; j < 2; ++j) {
        spellings.push_back({one.keys[j], "{{key}}", owner});
        spellings.push_back({one.values[j], "{{value}}", owner});
      }
    }
    const std::string words[] = {mark::kResult, mark::kResult2};
    for (int i = 0; i < results; ++i) {
      spellings.push_back({python_json_string(words[i]), "{{json}}", kResults + i});
      spellings.push_back({words[i], std::string(kContent), kResults + i});
    }
    const std::vector<SpellingFound> found = find_spellings(text_, spellings);
    calls_.resize(static_cast<std::size_t>(calls));
    results_.resize(static_cast<std::size_t>(results));
    take_parts(found, calls, results);
    for (auto* parts : {&calls_, &results_}) {
      for (Part& part : *parts) {
        if (part.found()) part.piece = with_values(text_, part.begin, part.end, found);
      }
    }
  }

  // The names and ids behind the last of a call's arguments belong to the next result.
  void take_parts(const std::vector<SpellingFound>& found, int calls, int results) {
    std::size_t arguments_end = 0;
    for (const SpellingFound& one : found) {
      const bool argument = one.spelling->value == "{{arguments}}" ||
                            one.spelling->value == "{{value}}" || one.spelling->value == "{{key}}";
      if (argument) arguments_end = one.end;
    }
    Part pending;
    int next = 0;
    for (const SpellingFound& one : found) {
      const int owner = one.spelling->owner;
      if (owner < kResults && (one.begin < arguments_end || next >= results)) {
        if (owner < calls) extend(calls_[static_cast<std::size_t>(owner)], one);
      } else if (owner < kResults) {
        extend(pending, one);
      } else {
        Part& part = results_[static_cast<std::size_t>(owner - kResults)];
        if (part.found()) continue;
        part = pending;
        extend(part, one);
        pending = {};
        next = owner - kResults + 1;
      }
    }
  }

  static void extend(Part& part, const SpellingFound& one) {
    part.begin = std::min(part.begin, one.begin);
    part.end = one.end;
  }

  std::string text_;
  std::vector<Part> calls_;
  std::vector<Part> results_;
};

class CallLearner {
 public:
  CallLearner(Lesson& lesson, Tokenizer& tokenizer) : lesson_(lesson), tokenizer_(tokenizer) {
    const std::string& user = lesson.rules.user;
    close_ = user.substr(user.find(kContent) + kContent.size());
  }

  Result<LearnedCalls> run() {
    for (const auto step : {&CallLearner::ask, &CallLearner::learn_one}) {
      const Result<bool> done = (this->*step)();
      if (!done) return done.error();
      if (!*done) return out_;
    }
    out_.calls = true;
    if (Status done = learn_text(); !done) return done.error();
    if (Status done = learn_thinking(); !done) return done.error();
    if (Status done = find_blanks(); !done) return done.error();
    return out_;
  }

 private:
  bool writes_tools() const { return !lesson_.rules.tool.empty(); }

  // Without tools where the rules do not know them.
  ChatRequest request(std::vector<ChatMessage> messages, int tools) const {
    std::vector<DeclaredTool> declared;
    for (int i = 0; i < tools && writes_tools(); ++i) declared.push_back(tool_of(sample(i).call));
    return conversation(std::move(messages), std::move(declared));
  }

  Result<bool> fail(Kind kind, std::string what) {
    lesson_.note(kind, std::move(what));
    return false;
  }

  Result<bool> ask() {
    const ChatMessage user = user_message(mark::kUser);
    const RequestedCall& one = sample(0).call;
    const RequestedCall& two = sample(1).call;
    const ChatMessage first = result_message(one, mark::kResult);
    one_request_ = request({user, calling_message({one}), first}, 1);
    two_request_ =
        request({user, calling_message({one, two}), first, result_message(two, mark::kResult2)}, 2);
    answered_request_ = request({user, calling_message({one}), first, answer_message(mark::kAnswer),
                                 user_message(mark::kUser2)},
                                1);
    auto text = lesson_.text(one_request_);
    if (!text) return text.error();
    auto pair = lesson_.text(two_request_);
    if (!pair) return pair.error();
    auto closed = lesson_.text(one_request_, {.opens_reply = false});
    if (!closed) return closed.error();
    auto answered = lesson_.text(answered_request_);
    if (!answered) return answered.error();
    const std::vector<std::string> texts = {*text, *pair, *answered};
    const auto names = find_token_names(texts, tokenizer_);
    if (!names) return names.error();
    add_names(*names);
    if (text->find(sample(0).values[0]) == std::string::npos) {
      return fail(Kind::kCalls, "the template does not write calls");
    }
    if (text->find(mark::kResult) == std::string::npos) {
      return fail(Kind::kResults, "the template does not write results");
    }
    one_ = TurnText::cut(*text, 1, 1);
    two_ = TurnText::cut(*pair, 2, 2);
    answered_ = TurnText::cut(*answered, 1, 1);
    closed_ = TurnText::cut(*closed, 1, 1);
    if (!one_) return fail(Kind::kCalls, "a call and its result do not come in order, each once");
    find_unthinking();
    return true;
  }

  // What stands in a turn with a call for thinking that is not there, and goes when the next user's
  // turn comes.
  void find_unthinking() {
    if (!answered_) return;
    const std::string now = one_->up_to(one_->call(0));
    const std::string later = answered_->up_to(answered_->call(0));
    if (now.size() <= later.size()) return;
    const std::string_view common = lesson_.cutter.common_prefix(now, later);
    if (!now.ends_with(later.substr(common.size()))) return;
    unthinking_ = now.substr(common.size(), now.size() - later.size());
  }

  void add_names(const TokenNames& more) {
    TokenNames names = lesson_.cutter.names();
    const auto add = [](const std::vector<std::string>& from, std::vector<std::string>& to) {
      for (const std::string& name : from) {
        if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
      }
    };
    add(more.control, names.control);
    add(more.tags, names.tags);
    lesson_.cutter = TemplateCutter(std::move(names));
  }

  // One call, its result, and what comes behind; and the second of each, where there can be.
  Result<bool> learn_one() {
    TurnRules rules = lesson_.rules;
    const bool several = two_ && split_several(rules);
    if (!several && !split_single(rules)) {
      return fail(Kind::kCalls, "a turn with a call begins otherwise than one without");
    }
    if (!split_parameters(rules)) {
      return fail(Kind::kCalls, "the template spells calls in a way that is not known here");
    }
    split_end(rules, several);
    const Result<bool> same = settle_replies(rules);
    if (!same) return same;
    if (!*same) {
      return fail(Kind::kCalls,
                  "calls and results are written in a way that cannot be said in pieces");
    }
    const Result<bool> both = several ? lesson_.agrees(rules, two_request_) : several;
    if (!both) return both;
    out_.several = *both;
    if (!*both) {
      lesson_.note(Kind::kCalls,
                   "a second call in a turn is refused, left out or written otherwise");
      rules.one_call = true;
    }
    lesson_.rules = rules;
    return true;
  }

  // calls call_open CALL call_close call_between call_open CALL call_close … RESULT
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

  // What opens the turn is taken from `before`. Where a turn with a call opens otherwise, only what
  // both have in common is its opening, and the rest belongs to the text.
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
    rules.text = rest + std::string(kContent);
    rules.text_with_calls = "";
    return true;
  }

  // {{key}} and {{value}} become {{parameters}}.
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
    // Of the ways to cut what stands between two, that which makes the longest beginning.
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

  // What ends a parameter stands behind the last one as well: in the call, or, where that is all
  // there is, at the beginning of what follows it.
  bool fits(std::string& behind, std::string_view end, const TurnRules& rules) {
    if (take_prefix(behind, end)) return true;
    if (!rules.call_between.empty() || !behind.empty() || !ending_.starts_with(end)) return false;
    ending_.erase(0, end.size());
    return true;
  }

  // calls_end assistant_end results RESULT result_between RESULT results_end
  void split_end(TurnRules& rules, bool several) {
    std::string ending = ending_;
    const std::size_t closed =
        rules.assistant_end.empty() ? std::string::npos : ending.find(rules.assistant_end);
    if (closed != std::string::npos) {
      rules.calls_end = ending.substr(0, closed);
      ending.erase(0, closed + rules.assistant_end.size());
    } else if (!rules.assistant_end.empty()) {
      // A turn with calls ends otherwise: with the first token behind them.
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

  // How a reply and an answer are opened behind results; `results_end` may have some of it.
  Result<bool> settle_replies(TurnRules& rules) {
    const std::string behind = one_->behind(one_->result(0));
    std::string closing = rules.result.substr(rules.result.find_last_of('}') + 1);
    if (rules.result.find("}}") == std::string::npos) closing.clear();
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

  // Whether it is so with other arguments, and in a conversation that is longer.
  Result<bool> find_values(TurnRules& rules) {
    RequestedCall rich = sample(0).call;
    rich.arguments = python_json_or_string(
        R"({"a": "x \"y\"\nz", "n": 5, "t": true, "l": ["\u00e9", 1.5], "o": {"k": null}})");
    RequestedCall bare = sample(1).call;
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
      const Result<bool> same = lesson_.agrees(candidate, longer);
      if (!same) return same;
      if (!*same) continue;
      rules = candidate;
      return true;
    }
    return false;
  }

  // "?" where it is not known.
  std::string opening_of_answer(const TurnRules& rules, const std::string& end) const {
    if (!answered_) return "?";
    std::string behind = answered_->behind(answered_->result(0));
    const std::size_t answer = behind.find(mark::kAnswer);
    if (answer == std::string::npos) return "?";
    behind.resize(answer);
    const std::string text = rules.text.substr(0, rules.text.find(kContent));
    if (!take_prefix(behind, end) || !take_suffix(behind, text)) return "?";
    return behind;
  }

  Status learn_text() {
    TurnRules rules = lesson_.rules;
    const RequestedCall& one = sample(0).call;
    const ChatRequest asked =
        request({user_message(mark::kUser), calling_message({one}, mark::kText),
                 result_message(one, mark::kResult)},
                1);
    const auto text = lesson_.text(asked);
    if (!text) return text.error();
    const auto cut = TurnText::cut(*text, 1, 1);
    if (!cut || cut->text().find(mark::kText) == std::string::npos) {
      lesson_.note(Kind::kText, "text in front of a call is left out");
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
    const auto same = lesson_.agrees(rules, asked);
    if (!same) return same.error();
    out_.text = *same;
    if (*same) {
      lesson_.rules = rules;
    } else {
      lesson_.note(Kind::kText, "text beside a call is written otherwise: it is left out");
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
    rules.text_with_calls = before + std::string(kContent);
    rules.calls_after_text = behind;
  }

  Status learn_thinking() {
    const RequestedCall& one = sample(0).call;
    const ChatMessage user = user_message(mark::kUser);
    const ChatMessage result = result_message(one, mark::kResult);
    const auto thinks = [](const ChatMessage& message) {
      return with_thinking(mark::kThinking, message);
    };
    const ChatMessage call = calling_message({one});
    const ChatMessage answer = answer_message(mark::kAnswer);
    const ChatRequest last = request({user, thinks(call), result}, 1);
    const ChatRequest answered = request({user_message("Go."), thinks(answer), user}, 1);
    const ChatRequest asked_again = request({user_message("Go."), thinks(call), result, user}, 1);
    const auto text = lesson_.text(last);
    if (!text) return text.error();
    const auto cut = TurnText::cut(*text, 1, 1);
    if (!cut || cut->text().find(mark::kThinking) == std::string::npos) {
      lesson_.note(Kind::kThinking, "thinking is not written");
      const ChatRequest both[] = {last, answered};
      const auto same = lesson_.agrees_on_all(lesson_.rules, both);
      if (same && *same) out_.thinking = true;
      return same ? Status() : Status(same.error());
    }
    const std::string marks[] = {mark::kThinking};
    auto pieces = cut_at_marks(cut->up_to(cut->call(0)), marks);
    const auto old_answer = lesson_.text(answered);
    if (!old_answer) return old_answer.error();
    const auto old_call = lesson_.text(asked_again);
    if (!old_call) return old_call.error();
    const auto has = [](const std::string& all) {
      return all.find(mark::kThinking) != std::string::npos;
    };
    const ChatRequest checks[] = {last, answered, asked_again, one_request_};
    for (const TurnRules& candidate :
         with_thinking_rules(pieces, has(*old_answer), has(*old_call))) {
      const auto same = lesson_.agrees_on_all(candidate, checks);
      if (!same) return same.error();
      if (!*same) continue;
      lesson_.rules = candidate;
      out_.thinking = true;
      break;
    }
    if (!out_.thinking) {
      lesson_.note(Kind::kThinking, "thinking is written in a way that cannot be said in pieces");
    } else if (lesson_.rules.thinking_kept != TurnRules::Thinking::kAlways) {
      lesson_.note(Kind::kThinking, "the thinking of earlier turns is left out");
    }
    return {};
  }

  // What opens a turn may already be what stands there without thinking.
  std::vector<TurnRules> with_thinking_rules(const std::vector<std::string>& pieces, bool in_old,
                                             bool in_old_call) const {
    std::vector<TurnRules> out;
    if (pieces.size() != 2) return out;
    TurnRules rules = lesson_.rules;
    std::string before = pieces[0];
    std::string behind = pieces[1];
    if (!take_prefix(before, close_)) return out;
    const std::string call_open = rules.calls + rules.call.substr(0, rules.call.find("{{"));
    if (!take_suffix(behind, call_open)) return out;
    const std::string common(lesson_.cutter.common_prefix(before, rules.assistant));
    const bool known = !rules.no_thinking.empty();  // and so it is not in what opens a turn
    const std::string none = known ? rules.no_thinking : rules.assistant.substr(common.size());
    take_prefix(before, common);
    rules.thinking = before + std::string(kContent) + behind;
    rules.thinking_kept = in_old        ? TurnRules::Thinking::kAlways
                          : in_old_call ? TurnRules::Thinking::kAfterAnswer
                                        : TurnRules::Thinking::kAfterUser;
    if (!known) take_suffix(rules.assistant_after_result, none);
    rules.assistant = common;
    rules.no_thinking = none;
    rules.old_thinking = none;
    if (!known) out.push_back(rules);
    rules.old_thinking = "";
    out.push_back(rules);
    return out;
  }

  Status find_blanks() {
    const RequestedCall& one = sample(0).call;
    const auto padded = [](const std::string& text) { return "\n " + text + " \n"; };
    ChatMessage call = calling_message({one}, out_.text ? padded(mark::kText) : "");
    const ChatMessage result = result_message(one, padded(mark::kResult));
    const ChatRequest asked = request({user_message(mark::kUser), std::move(call), result}, 1);
    bool found = false;
    for (unsigned trims = 0; trims < 4 && !found; ++trims) {
      TurnRules candidate = lesson_.rules;
      candidate.trims_calling = (trims & 1U) != 0;
      candidate.trims_results = (trims & 2U) != 0;
      const auto same = lesson_.agrees(candidate, asked);
      if (!same) return same.error();
      found = *same;
      if (found) lesson_.rules = candidate;
    }
    if (!found)
      lesson_.note(Kind::kBlanks, "blanks beside calls and in results are written otherwise");
    if (!out_.thinking || lesson_.rules.thinking.empty()) return {};
    const ChatRequest thinking =
        request({user_message(mark::kUser),
                 with_thinking("\n" + mark::kThinking + "\n", calling_message({one})),
                 result_message(one, mark::kResult)},
                1);
    for (const bool trims : {false, true}) {
      TurnRules candidate = lesson_.rules;
      candidate.trims_thinking = trims;
      const auto same = lesson_.agrees(candidate, thinking);
      if (!same) return same.error();
      if (!*same) continue;
      lesson_.rules = candidate;
      return {};
    }
    lesson_.note(Kind::kBlanks, "line ends around thinking are written otherwise");
    return {};
  }

  Lesson& lesson_;
  Tokenizer& tokenizer_;
  LearnedCalls out_;
  std::string close_;  // of a user's turn
  ChatRequest one_request_;
  ChatRequest two_request_;
  ChatRequest answered_request_;
  std::optional<TurnText> one_;
  std::optional<TurnText> two_;
  std::optional<TurnText> answered_;
  std::optional<TurnText> closed_;  // no reply is opened
  std::string ending_;              // from the last call to the first result
  std::string unthinking_;          // see find_unthinking()
};

}  // namespace

Result<LearnedCalls> learn_calls(Lesson& lesson, Tokenizer& tokenizer) {
  return CallLearner(lesson, tokenizer).run();
}

}  // namespace pedro
