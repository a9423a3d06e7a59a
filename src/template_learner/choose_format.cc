#include "template_learner/choose_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "chat/sample_request.h"
#include "chat_format/prompt_encoder.h"
#include "chat_format/written_date.h"
#include "template_learner/lesson.h"
#include "template_learner/template_probes.h"

namespace pedro {
namespace {

constexpr std::string_view kLearned = "learned";
constexpr std::string_view kAuto = "auto";
constexpr std::size_t kMaxBeginBytes = 64;
// Limit of a template's addition to the family's opening of a reply ("<think>\n").
constexpr std::size_t kMaxReplyBytes = 64;

using Likeness = ChosenFormat::Likeness;

const char* const kSampleTool = "read_file";

const RequestedCall& file_call(int number) {
  static const RequestedCall kFileCalls[] = {
      {"callidone", kSampleTool, R"({"path": "a.txt"})"},
      {"callidtwo", kSampleTool, R"({"path": "b.txt", "line": 5})"}};
  return kFileCalls[number];
}

// The conversations to compare.
struct Samples {
  ChatRequest question;  // after a system prompt
  ChatRequest turns;
  ChatRequest tools;
  ChatRequest call;
  ChatRequest bare_call;  // without system prompt and tools
  ChatRequest no_system;
  ChatRequest thinking;
  ChatRequest several;  // two calls after a text, and blanks around the user's text
};

Samples make_samples() {
  const ChatMessage system = system_message("Be brief.");
  const ChatMessage user = user_message("Where is it?");
  const DeclaredTool tool = {
      kSampleTool, "Reads a file.",
      R"({"type": "object", "properties": {"path": {"type": "string", "description": "where it is"}, "line": {"type": "integer"}}, "required": ["path"]})"};
  const std::string result = R"({"found": "it"})";
  const ChatMessage call = calling_message({file_call(0)});
  const ChatMessage got = result_message(file_call(0), result);
  Samples out;
  out.question = conversation({system, user});
  out.turns = conversation({system, user, answer_message("Here."), user_message("And that?")});
  out.tools = conversation({system, user}, {tool});
  out.call = conversation({system, user, call, got}, {tool});
  out.bare_call = conversation({user, call, got});
  out.no_system = conversation({user});
  out.thinking = conversation({system, user, with_thinking("It is here.", answer_message("Here.")),
                               user, with_thinking("I look.", call), got},
                              {tool});
  out.several = conversation({system, user_message(" \nAll of it.\n "),
                              calling_message({file_call(0), file_call(1)}, "I look."), got,
                              result_message(file_call(1), result)},
                             {tool});
  return out;
}

std::string text_with(const FormatFamily& family, const ChatRequest& request, bool spaced) {
  Result<Prompt> prompt = render_conversation(family, request);
  if (!prompt) return "";
  prompt->spaced = prompt->spaced && spaced;
  return to_text(*prompt);
}

bool writes_date(const TurnRules& rules) {
  return rules.head.find("{{da") != std::string::npos;
}

/// Compares a family with a server's template.
class FamilyMatch {
 public:
  FamilyMatch(const FormatFamily& family, Lesson& lesson) : family_(family), lesson_(lesson) {}

  /// Compares turns without tools, with thinking on or off in the template. Returns false if they
  /// differ; other results are then unknown.
  Result<bool> try_turns(const Samples& samples, bool thinks) {
    mode_.thinks = thinks;
    PEDRO_TRY(const auto theirs, lesson_.text(samples.question, mode_));
    if (!fit_question(samples.question, theirs)) return false;
    return alike(samples.turns);
  }

  /// Compares the other samples. Requires that try_turns() returned true.
  Status compare_rest(const Samples& samples) {
    if (Status done = compare_tools(samples); !done) return done;
    const std::pair<const ChatRequest*, FormatGap> others[] = {
        {&samples.no_system,
         {FormatGap::Kind::kOwnPrompt,
          "without a system prompt the template writes one of its own"}},
        {&samples.thinking,
         {FormatGap::Kind::kThinking, "the thinking of earlier turns is written differently"}},
        {&samples.several,
         {FormatGap::Kind::kText,
          "several calls in a turn, or text and blanks beside them, are written differently"}}};
    for (const auto& [request, gap] : others) {
      if (request != &samples.no_system && !has_calls()) continue;
      PEDRO_TRY(const bool same, alike(*request));
      if (!same) gaps_.push_back(gap);
    }
    if (extra_reply_) {
      gaps_.push_back({FormatGap::Kind::kReply, "a reply is opened with " + reply_});
    }
    if (turn_rules() == nullptr && !their_begin_.empty() && their_begin_ != our_begin_) {
      gaps_.push_back({FormatGap::Kind::kTurns, "a conversation begins with " + their_begin_});
    }
    return {};
  }

  bool all() const { return all_; }
  bool tools_alike() const { return tools_alike_; }
  /// Returns true if calls match, but only without a system prompt and tools before them.
  bool bare_calls_alike() const { return bare_calls_alike_; }
  /// Returns true if this family is closer to the template than `other`.
  bool is_nearer_than(const FamilyMatch& other) const {
    if (bare_calls_alike_ != other.bare_calls_alike_) return bare_calls_alike_;
    return gaps_.size() < other.gaps_.size();
  }
  std::vector<FormatGap>& gaps() { return gaps_; }
  const FormatFamily& family() const { return family_; }
  /// The rules as adapted to this server; nullptr for rules of another kind.
  TurnRules* turn_rules() { return std::get_if<TurnRules>(&family_.rules); }
  bool thinks() const { return mode_.thinks; }
  bool has_calls() const { return call_form(family_).has_value(); }
  const std::string& begin() const { return their_begin_; }

 private:
  // Returns the rendering by this program, without the beginning of the text.
  std::string ours(const ChatRequest& request) const {
    ChatRequest dated = request;
    dated.date = date_;
    std::string text = text_with(family_, dated, spaced_);
    take_prefix(text, our_begin_);
    return text;
  }

  // Returns true if both texts match except for their beginning and an addition to the opening of
  // the reply. Adapts the rules to that.
  bool fit_question(const ChatRequest& request, const std::string& theirs) {
    auto* rules = std::get_if<TurnRules>(&family_.rules);
    const TurnRules original = rules != nullptr ? *rules : TurnRules();
    our_begin_ = rules != nullptr ? rules->begin : "<s>";
    if (rules != nullptr && writes_date(*rules)) date_ = find_date(theirs).iso;
    if (rules != nullptr) rules->reply = "";
    for (spaced_ = true;; spaced_ = false) {
      const std::string mine = ours(request);
      const std::size_t at = mine.empty() ? std::string::npos : theirs.find(mine);
      if (at != std::string::npos && at <= kMaxBeginBytes) {
        their_begin_ = theirs.substr(0, at);
        const std::string rest = theirs.substr(at + mine.size());
        if (their_begin_.find_first_of(" \n") == std::string::npos && fit_reply(original, rest)) {
          return true;
        }
      }
      if (!spaced_) break;
    }
    if (rules != nullptr) *rules = original;
    return false;
  }

  bool fit_reply(const TurnRules& original, const std::string& rest) {
    auto* rules = std::get_if<TurnRules>(&family_.rules);
    if (rules == nullptr) return rest.empty();
    if (!rest.starts_with(original.reply)) return false;
    extra_reply_ = rest.size() > original.reply.size();
    if (rest.size() > original.reply.size() + kMaxReplyBytes || !can_be_piece(rest)) return false;
    rules->reply = rest;
    reply_ = rest.substr(original.reply.size());
    if (original.reply_after_result == original.reply) rules->reply_after_result = rest;
    return true;
  }

  Result<bool> alike(const ChatRequest& request) {
    PEDRO_TRY(auto theirs, lesson_.text(request, mode_));
    take_prefix(theirs, their_begin_);
    return ours(request) == theirs;
  }

  // Compares tools and calls. A template with neither matches a family with neither. A template
  // without tools does not show their form.
  Status compare_tools(const Samples& samples) {
    PEDRO_TRY(const auto with_tools, lesson_.text(samples.tools, mode_));
    PEDRO_TRY(const auto with_call, lesson_.text(samples.call, mode_));
    const bool tools_written = with_tools.find(kSampleTool) != std::string::npos;
    const bool calls_written = with_call.find("a.txt") != std::string::npos;
    if (!has_calls()) {
      all_ = !tools_written && !calls_written;
      if (!all_)
        gaps_.push_back(
            {FormatGap::Kind::kTools, "the template writes tools, the format does not"});
      return {};
    }
    ChatRequest call = samples.call;
    if (!tools_written) call.tools.clear();
    if (tools_written) {
      PEDRO_TRY(const bool same, alike(samples.tools));
      if (!same) gaps_.push_back({FormatGap::Kind::kTools, "tools are written differently"});
      all_ = same;
      tools_alike_ = same;
    } else {
      gaps_.push_back({FormatGap::Kind::kTools, "the template does not write tools"});
    }
    PEDRO_TRY(const bool same, alike(call));
    all_ = all_ && same;
    if (same) return {};
    PEDRO_TRY(const bool bare, alike(samples.bare_call));
    bare_calls_alike_ = bare;
    gaps_.push_back(
        {FormatGap::Kind::kCalls, bare ? "after calls the system prompt and tools are omitted"
                                       : "calls and results are written differently"});
    return {};
  }

  FormatFamily family_;  // as adapted to this server
  Lesson& lesson_;
  TemplateMode mode_;
  std::string our_begin_;
  std::string their_begin_;
  std::string date_;
  std::string reply_;  // addition to the opening
  bool extra_reply_ = false;
  bool spaced_ = true;
  bool all_ = true;
  bool tools_alike_ = false;
  bool bare_calls_alike_ = false;
  std::vector<FormatGap> gaps_;
};

// Clears the pieces for tools, calls and results if some of them are unknown.
void leave_out_tools(FormatFamily& family) {
  auto& rules = std::get<TurnRules>(family.rules);
  for (std::string* piece :
       {&rules.guide, &rules.tool, &rules.tool_between, &rules.first_user_tools, &rules.calls,
        &rules.calls_after_text, &rules.call, &rules.parameter, &rules.call_between,
        &rules.calls_end, &rules.results, &rules.result, &rules.result_between, &rules.results_end,
        &rules.head_tools, &rules.head_tools_only}) {
    piece->clear();
  }
  rules.text_with_calls = rules.text;
}

class Choice {
 public:
  Choice(ServedTemplate& served, Tokenizer& tokenizer)
      : probes_(served), tokenizer_(tokenizer), lesson_(probes_) {}

  Result<ChosenFormat> run(std::string_view name) {
    if (name == kLearned) return learned();
    if (!name.empty() && name != kAuto) return named(name);
    for (const bool thinks : {true, false}) {
      for (const FormatFamily& family : format_families()) {
        PEDRO_RETURN_IF_ERROR(try_family(family, thinks));
      }
      if (best_) return chosen(*best_, Likeness::kAll);
      if (near_ && near_->bare_calls_alike()) return chosen(*near_, Likeness::kTurns);
    }
    if (!near_) return learned();
    // Comes first, because learning may use up the requests.
    PEDRO_TRY(ChosenFormat near, chosen(*near_, Likeness::kTurns));
    Result<ChosenFormat> learned = this->learned();
    const bool failed = !learned && learned.error().kind != ErrorKind::kModel;
    if (failed || (learned && learned->likeness == Likeness::kAll)) return learned;
    near.requests = probes_.requests();
    return near;
  }

 private:
  Status try_family(const FormatFamily& family, bool thinks) {
    FamilyMatch match(family, lesson_);
    PEDRO_TRY(const bool turns, match.try_turns(samples_, thinks));
    if (!turns) return {};
    if (Status rest = match.compare_rest(samples_); !rest) return rest;
    std::optional<FamilyMatch>& place = match.all() ? best_ : near_;
    if (!match.all() && !match.tools_alike()) return {};
    if (place && !match.is_nearer_than(*place)) return {};
    if (Status fitted = fit_rules(match); !fitted) return fitted;
    PEDRO_TRY(const bool known, fits_vocabulary(match));
    if (known) place.emplace(std::move(match));
    return {};
  }

  Result<ChosenFormat> named(std::string_view name) {
    PEDRO_TRY(const FormatFamily* family, find_format(name));
    for (const bool thinks : {true, false}) {
      FamilyMatch match(*family, lesson_);
      PEDRO_TRY(const bool turns, match.try_turns(samples_, thinks));
      if (!turns) continue;
      PEDRO_RETURN_IF_ERROR(match.compare_rest(samples_));
      PEDRO_RETURN_IF_ERROR(fit_rules(match));
      return chosen(match, match.all() ? Likeness::kAll : Likeness::kTurns);
    }
    FamilyMatch none(*family, lesson_);
    none.gaps().push_back(
        {FormatGap::Kind::kTurns, "conversations without tools are written differently"});
    return chosen(none, Likeness::kNone);
  }

  // Returns true if the vocabulary has the family's control tokens. It must also write a space
  // before each text if the family requires one.
  Result<bool> fits_vocabulary(const FamilyMatch& match) {
    if (const auto* rules = std::get_if<MistralRules>(&match.family().rules)) {
      PEDRO_TRY(const auto word, tokenizer_.encode("word", Specials::kNone));
      // Decoding would remove the space.
      PEDRO_TRY(const auto pieces, tokenizer_.pieces(word));
      const bool spaced = !pieces.empty() && pieces.front().starts_with(' ');
      if (spaced != rules->sentencepiece) return false;
    }
    const Result<Prompt> prompt =
        render_conversation(match.family(), match.has_calls() ? samples_.call : samples_.question);
    if (!prompt) return false;
    const auto ids = encode_prompt(*prompt, tokenizer_);
    if (!ids && ids.error().kind != ErrorKind::kUsage) return ids.error();
    return ids.ok();
  }

  Result<ChosenFormat> chosen(FamilyMatch& match, Likeness likeness) {
    ChosenFormat out;
    out.family = match.family();
    out.likeness = likeness;
    out.syntax = call_syntax_of(out.family.name);
    out.gaps = std::move(match.gaps());
    if (auto* rules = std::get_if<TurnRules>(&out.family.rules)) {
      if (likeness != Likeness::kNone) {
        PEDRO_RETURN_IF_ERROR(fit_quiet_reply(match, out));
      } else {
        out.reply_without_thinking = rules->reply;
      }
    }
    out.requests = probes_.requests();
    return out;
  }

  // Begins a prompt with the start of the vocabulary and the beginning of the template.
  Status fit_rules(FamilyMatch& match) {
    auto* rules = match.turn_rules();
    if (rules == nullptr) return {};
    PEDRO_TRY(const auto start, tokenizer_.prompt_start());
    PEDRO_TRY(const auto begin, tokenizer_.decode(start));
    const std::string old = std::exchange(rules->begin, match.begin());
    if (!rules->begin.starts_with(begin)) rules->begin.insert(0, begin);
    if (rules->begin.find(old) == std::string::npos) std::erase(rules->control, old);
    const std::string texts[] = {rules->begin, rules->reply};
    return add_names(texts, *rules);
  }

  // Adds tokens of the template that the family lacks.
  Status add_names(std::span<const std::string> texts, TurnRules& rules) {
    PEDRO_TRY(const auto names, find_token_names(texts, tokenizer_));
    const auto has = [](const std::vector<std::string>& list, const std::string& name) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    const auto add = [&](const std::vector<std::string>& from, std::vector<std::string>& to) {
      for (const std::string& name : from) {
        if (!has(rules.control, name) && !has(rules.tags, name)) to.push_back(name);
      }
    };
    add(names.control, rules.control);
    add(names.tags, rules.tags);
    return {};
  }

  Status fit_quiet_reply(const FamilyMatch& match, ChosenFormat& out) {
    auto& rules = std::get<TurnRules>(out.family.rules);
    out.reply_without_thinking = rules.reply;
    const auto loud = lesson_.text(samples_.question, {.thinks = match.thinks()});
    const auto quiet = lesson_.text(samples_.question, {.thinks = false});
    if (!loud || !quiet) return loud ? quiet.error() : loud.error();
    std::string before = *loud;
    std::string reply = *quiet;
    if (take_suffix(before, rules.reply) && take_prefix(reply, before)) {
      out.reply_without_thinking = reply;
    }
    return add_names({&out.reply_without_thinking, 1}, rules);
  }

  Result<ChosenFormat> learned() {
    PEDRO_TRY(LearnedFormat learned, learn_format(probes_, tokenizer_));
    ChosenFormat out;
    out.family = std::move(learned.family);
    out.is_learned = true;
    const bool all = learned.tools && learned.calls && learned.syntax;
    if (!all) leave_out_tools(out.family);
    out.likeness = all && learned.turns ? Likeness::kAll
                   : learned.turns      ? Likeness::kTurns
                                        : Likeness::kNone;
    if (all) out.syntax = learned.syntax;
    out.reply_without_thinking = std::move(learned.reply_without_thinking);
    out.gaps = std::move(learned.gaps);
    out.requests = probes_.requests();
    return out;
  }

  TemplateProbes probes_;
  Tokenizer& tokenizer_;
  Lesson lesson_;
  const Samples samples_ = make_samples();
  std::optional<FamilyMatch> best_;  // matches in all samples
  std::optional<FamilyMatch> near_;  // matches in turns and tools
};

}  // namespace

Status check_format_name(std::string_view name) {
  if (name.empty() || name == kAuto || name == kLearned) return {};
  const Result<const FormatFamily*> family = find_format(name);
  if (family) return {};
  const std::string near = did_you_mean(name, {std::string(kAuto), std::string(kLearned)});
  if (near.empty()) return family.error();
  return Error{ErrorKind::kUsage, fmt::format("no format is called '{}'{}", name, near)};
}

Result<ChosenFormat> choose_format(ServedTemplate& served, Tokenizer& tokenizer,
                                   std::string_view name) {
  return Choice(served, tokenizer).run(name);
}

}  // namespace pedro
