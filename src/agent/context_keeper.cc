#include "agent/context_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/text.h"
#include "context/compaction.h"
#include "json_schema/schema.h"
#include "secrets/secret_mask.h"

namespace pedro {
namespace {

constexpr std::string_view kTool = "summary";
constexpr std::string_view kText = "text";
// The size of a call around its text.
constexpr long long kCallTokens = 48;
constexpr long long kFewestTokens = 64;
constexpr long long kCharactersPerToken = 4;

Json schema_of(long long tokens) {
  return {{"type", "object"},
          {"properties",
           {{kText,
             {{"type", "string"}, {"minLength", 1}, {"maxLength", tokens * kCharactersPerToken}}}}},
          {"required", {kText}},
          {"additionalProperties", false}};
}

// Returns the text of the call. A model may also call where text is required.
std::string summary_in(const Reply& reply, SummaryForm form) {
  if (form == SummaryForm::kText && reply.parts.empty()) return std::string(trim(reply.text));
  if (reply.parts.size() != 1) return "";
  const auto* call = std::get_if<ParsedCall>(&reply.parts.front());
  if (call == nullptr || call->tool != kTool) return "";
  return std::string(trim(text_of(call->args, kText)));
}

constexpr long long kFewestNoteTokens = 96;
constexpr long long kFewestPromptTokens = 256;
constexpr long long kMostNoteTokens = 1024;
constexpr std::uint64_t kMaxNotedFileBytes = 4u << 20;
// The size of the template around a summary.
constexpr long long kTokensAroundSummary = 64;
// The first compaction may be based on estimates; later ones use exact counts.
constexpr int kMostSteps = 3;

std::string_view status_of(const ContextPart& part) {
  return part.facts && !part.facts->ok ? "failed" : "ok";
}

}  // namespace

Result<Summary> Summarizer::write(const GenerateRequest& request, MessageId last, long long tokens,
                                  long long room) {
  if (covered_ == last) return summary_;
  Result<Summary> summary = ask(request, tokens, room);
  if (!summary) return summary;
  covered_ = last;
  summary_ = *summary;
  summary_.usage = {};
  return summary;
}

Result<Summary> Summarizer::ask(const GenerateRequest& request, long long tokens, long long room) {
  const Json json = schema_of(tokens);
  PEDRO_TRY(const Schema schema, parse_schema(json));
  const std::array<CallBranch, 1> calls = {
      CallBranch{.tool = std::string(kTool), .action = "", .args = &schema, .args_json = &json}};
  ChatRequest chat = request.chat;
  const bool is_text = form_ == SummaryForm::kText;
  chat.messages.push_back(
      text_message(Role::kUser, feedback_.text(is_text ? "summarize_as_text" : "summarize",
                                               {{"words", std::to_string(tokens * 2 / 3)}})));
  const long long question = model_.count_text(text_of(chat.messages.back()));
  const long long most = std::min(tokens + kCallTokens, room - question - kCallTokens);
  if (most < kFewestTokens) return Summary{"", "there is no room for it", {}};
  const Result<Reply> reply = model_.ask_aside(
      {.chat = chat,
       .calls = is_text ? std::span<const CallBranch>() : std::span<const CallBranch>(calls),
       .mode = is_text ? GenerationMode::kUnconstrained : request.mode,
       .temperature = request.temperature,
       .max_tokens = most});
  if (!reply) {
    if (reply.error().kind == ErrorKind::kInterrupted) return reply.error();
    return Summary{"", reply.error().message, {}};
  }
  if (reply->stop != StopReason::kEnd) {
    return Summary{"", fmt::format("it did not end within {} tokens", most), reply->usage};
  }
  Summary summary{summary_in(*reply, form_), "", reply->usage};
  if (!summary.text.empty()) return summary;
  summary.problem = is_text ? "the reply has no text" : "the reply was not a call with a text";
  return summary;
}

ContextSettings suited_to(ContextSettings settings, bool moves_cache) {
  std::vector<Strategy>& strategies = settings.rules.strategies;
  settings.rules.moves_cache = moves_cache;
  if (moves_cache && strategies.size() > 1) std::erase(strategies, Strategy::kClear);
  return settings;
}

ContextSettings suited_to(ContextSettings settings, const ModelInfo& model) {
  const bool takes_any_call = model.can.grammar || model.is_person || !model.has_tools;
  settings.summary_form = takes_any_call ? SummaryForm::kCall : SummaryForm::kText;
  return suited_to(std::move(settings), model.can.shifts_cache);
}

long long note_tokens(const ContextSettings& settings, const Budget& budget) {
  if (settings.note == Note::kNone) return 0;
  return std::clamp(budget.limit() / 16, kFewestNoteTokens, kMostNoteTokens);
}

ContextKeeper::ContextKeeper(Model& model, ToolContext& tools, const Feedback& feedback,
                             RunObserver& observer, AnswerLog& answers, ContextSettings settings,
                             RunHooks* hooks)
    : model_(model),
      tools_(tools),
      feedback_(feedback),
      observer_(observer),
      answers_(answers),
      hooks_(hooks),
      settings_(std::move(settings)),
      conversation_([&model](std::string_view text) { return model.count_text(text); }),
      summarizer_(model, feedback, settings_.summary_form) {}

void ContextKeeper::begin_anew() {
  model_.begin_anew();
  conversation_.clear();
  digest_ = {};
  summary_.clear();
  removed_as_.clear();
  exact_ = false;
  tight_told_ = false;
}

void ContextKeeper::set_window(long long context_tokens, long long reply_tokens) {
  budget_ = {context_tokens, reply_tokens, settings_.reserve_tokens, settings_.high_water,
             settings_.low_water};
  settings_.rules.note_tokens = note_tokens(settings_, budget_);
}

void ContextKeeper::measured(long long prompt_tokens) {
  if (!exact_ && prompt_tokens > 0) conversation_.measured(prompt_tokens);
}

Status ContextKeeper::count(const GenerateRequest& request) {
  PEDRO_TRY(const std::optional<long long> counted, model_.count_prompt(request));
  exact_ = counted.has_value() && model_.counts_exactly();
  if (counted.has_value()) conversation_.measured(*counted, exact_);
  return {};
}

Status ContextKeeper::fit(const GenerateRequest& request) {
  if (Status counted = count(request); !counted) return counted;
  const Ledger& ledger = conversation_.ledger();
  if (Status heard = observer_.on_context(ledger, told_); !heard) return heard;
  told_ = ledger.last_id();
  if (!is_due(ledger, budget_)) return {};
  return compact(request, ledger.total() > budget_.limit());
}

Status ContextKeeper::shrink(const GenerateRequest& request, const Overflow& overflow) {
  if (overflow.window <= 0) {
    const Budget usual = budget_;
    const long long total = conversation_.ledger().total();
    set_window(total, std::min(usual.reply_tokens, total / 4));
    const Status compacted = compact(request, true);
    set_window(usual.context_tokens, usual.reply_tokens);
    return compacted;
  }
  if (overflow.window < budget_.context_tokens) {
    set_window(overflow.window, std::min(budget_.reply_tokens, overflow.window / 4));
  }
  if (overflow.tokens > conversation_.ledger().total()) conversation_.rescale(overflow.tokens);
  return compact(request, true);
}

// Compacts until the total is at most `budget_.high()`, with at most kMostSteps plans. Errors: if
// `must`, or if the total exceeds the limit. Otherwise the job continues above the high mark, since
// each round would fail in the same way.
Status ContextKeeper::compact(const GenerateRequest& request, bool must) {
  for (int step = 0; step < kMostSteps; ++step) {
    const Ledger& ledger = conversation_.ledger();
    const Result<Compaction> plan = plan_compaction(ledger, budget_, settings_.rules);
    if (!plan) return must ? Status(plan.error()) : Status();
    if (plan->empty()) return {};
    CompactionReport report = describe(*plan, ledger, budget_);
    const Json sizes = {{"trigger", "auto"}, {"tokens_before", report.before}};
    if (hooks_ != nullptr) {
      PEDRO_RETURN_IF_ERROR(hooks_->notify(HookEvent::kPreCompact, "auto", sizes));
    }
    if (settings_.note == Note::kSummary && !plan->removed.empty()) {
      if (Status asked = summarize(request, report); !asked) return asked;
    }
    PEDRO_TRY(std::vector<WrittenPart> markers, set_aside(*plan, report));
    remember(*plan);
    PEDRO_TRY(WrittenPart note, make_note(*plan, report));
    const std::vector<std::size_t> origins =
        conversation_.compact(*plan, std::move(markers), std::move(note));
    if (Status told = model_.compacted(conversation_.request(), origins); !told) return told;
    if (Status counted = count(request); !counted) return counted;
    report.after = ledger.total();
    report.estimated = report.estimated || !ledger.exact();
    if (Status heard = observer_.on_compaction(report); !heard) return heard;
    if (hooks_ != nullptr) {
      Json all = sizes;
      all["tokens_after"] = report.after;
      PEDRO_RETURN_IF_ERROR(hooks_->notify(HookEvent::kPostCompact, "auto", std::move(all)));
    }
    tell_if_tight(report);
    if (ledger.total() <= budget_.high()) return {};
    must = must || ledger.total() > budget_.limit();
  }
  const long long total = conversation_.ledger().total();
  if (total <= budget_.limit()) return {};
  return Error{ErrorKind::kLimit,
               fmt::format("the conversation has {} tokens after {} compactions, the limit is {}; "
                           "start the server with a larger -c",
                           total, kMostSteps, budget_.limit()),
               Overflow{total, budget_.context_tokens}};
}

// Warns once about a conversation with little to remove. Its compactions are frequent, and each
// causes another prefill of the rest.
void ContextKeeper::tell_if_tight(const CompactionReport& report) {
  if (report.after <= budget_.low() + settings_.rules.note_tokens || tight_told_) return;
  const auto most =
      std::max_element(report.stayed.begin(), report.stayed.end(),
                       [](const auto& a, const auto& b) { return a.tokens < b.tokens; });
  if (most == report.stayed.end()) return;
  tight_told_ = true;
  observer_.on_notice(fmt::format(
      "{} tokens are left after a compaction, the target is {}: the messages that must stay are "
      "large, most of all message {} ({}) with {}; a larger window (-c) would cost less",
      report.after, budget_.low(), most->first, to_string(most->why), most->tokens));
}

Result<std::vector<WrittenPart>> ContextKeeper::set_aside(const Compaction& compaction,
                                                          CompactionReport& report) {
  std::vector<WrittenPart> markers;
  for (std::size_t i = 0; i < compaction.cleared.size(); ++i) {
    const Compaction::Cleared& one = compaction.cleared[i];
    const ContextPart& part = conversation_.ledger().parts(one.message)[one.part];
    const std::string_view text = conversation_.text_of(one.message, one.part);
    WrittenPart marker{PartKind::kResult, "", part.pinned, part.kept_as, part.facts};
    if (marker.kept_as.empty()) {
      Result<std::string> id = tools_.notes.spill(trim(text));
      if (!id) return id.error().at("cannot keep a long output");
      marker.kept_as = *std::move(id);
    }
    if (text.starts_with("\n\n")) marker.text = "\n\n";
    marker.text += feedback_.text("cleared", {{"call", part.facts ? part.facts->call : ""},
                                              {"status", std::string(status_of(part))},
                                              {"id", marker.kept_as}});
    report.left[i].kept_as = marker.kept_as;
    markers.push_back(std::move(marker));
  }
  return markers;
}

void ContextKeeper::remember(const Compaction& compaction) {
  const Ledger& ledger = conversation_.ledger();
  const std::vector<bool> open = open_errors(ledger);
  for (const Compaction::Cleared& one : compaction.cleared) {
    const ContextPart& part = ledger.parts(one.message)[one.part];
    const bool failed = part.facts && !part.facts->ok && open[ledger.exchange_of(one.message)];
    if (failed) digest_.add_failure(*part.facts, conversation_.text_of(one.message, one.part));
  }
  for (const Compaction::Removed& one : compaction.removed) {
    const Exchange& exchange = ledger.exchanges()[one.exchange];
    digest_.add_exchange();
    for (std::size_t m = exchange.first; m < exchange.end; ++m) {
      const auto parts = ledger.parts(m);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (!parts[p].facts) continue;
        digest_.add(*parts[p].facts, conversation_.text_of(m, p), !open[one.exchange]);
      }
    }
  }
}

// Returns the removed messages as text for users, and for the model on request.
std::string ContextKeeper::text_of_removed(const Compaction& compaction) const {
  const Ledger& ledger = conversation_.ledger();
  std::string text;
  for (const Compaction::Removed& one : compaction.removed) {
    const Exchange& exchange = ledger.exchanges()[one.exchange];
    for (std::size_t m = exchange.first; m < exchange.end; ++m) {
      const ChatMessage& message = conversation_.request().messages[m];
      text += fmt::format("--- {} {}\n{}\n", ledger.messages()[m].id, to_string(message.role),
                          pedro::text_of(message));
      for (const RequestedCall& call : message.calls) {
        text += fmt::format("{} {}\n", call.name, call.arguments);
      }
    }
  }
  return text;
}

// Returns the hash of a file's content. An error of the log stops the job at the next answer.
std::string ContextKeeper::state_of(const std::string& path) const {
  const Result<std::optional<Json>> earlier = answers_.next(Question::kFileState);
  if (!earlier) return "";
  if (*earlier) return text_of(**earlier, "state");
  std::string state = state_now(path);
  (void)answers_.add(Question::kFileState, {{"state", state}});
  return state;
}

std::string ContextKeeper::state_now(const std::string& path) const {
  const Result<std::string> place = tools_.tree.resolve(path);
  if (!place) return "";
  const Result<std::string> bytes = tools_.tree.files().read(*place, kMaxNotedFileBytes);
  return bytes ? fmt::format("({})", to_hex(hash_bytes(*bytes)).substr(0, 8)) : "";
}

Status ContextKeeper::summarize(const GenerateRequest& request, CompactionReport& report) {
  const long long room = budget_.context_tokens - 1 - conversation_.ledger().total();
  const long long tokens = settings_.rules.note_tokens - kTokensAroundSummary;
  PEDRO_TRY(Summary summary,
            summarizer_.write(request, conversation_.ledger().last_id(), tokens, room));
  usage_ += summary.usage;
  report.note_usage = summary.usage;
  report.note_problem = std::move(summary.problem);
  summary_ = std::move(summary.text);
  return {};
}

std::string ContextKeeper::digest_text(std::size_t bytes) const {
  std::map<std::string, std::string> values =
      digest_.sections(bytes, [this](const std::string& path) { return state_of(path); });
  if (digest_.exchanges() == 0) {
    return "\n\n" + feedback_.text("cleared_failures", {{"failed", values["failed"]}});
  }
  values["exchanges"] = std::to_string(digest_.exchanges());
  values["id"] = removed_as_;
  return "\n\n" + feedback_.text("digest", values);
}

std::string ContextKeeper::summary_text() const {
  return "\n\n" + feedback_.text("summary", {{"exchanges", std::to_string(digest_.exchanges())},
                                             {"id", removed_as_},
                                             {"summary", summary_}});
}

// Creates the note. It is empty if it would exceed the removed tokens.
Result<WrittenPart> ContextKeeper::make_note(const Compaction& compaction,
                                             CompactionReport& report) {
  WrittenPart note{PartKind::kNote, ""};
  if (digest_.empty()) return note;
  if (!compaction.removed.empty()) {
    Result<std::string> id =
        tools_.notes.spill(masked_text(tools_.secrets, text_of_removed(compaction)));
    if (!id) return id.error().at("cannot keep the removed messages");
    report.kept_as = *id;
    removed_as_ = *std::move(id);
  }
  long long freed = 0;
  for (const Compaction::Removed& one : compaction.removed) freed += one.tokens;
  const long long most = compaction.removed.empty()
                             ? settings_.rules.note_tokens
                             : std::min(settings_.rules.note_tokens, freed - 1);
  const auto fits = [&](std::string text, std::string_view kind) {
    report.note_tokens = model_.count_text(text);
    if (report.note_tokens > most) return false;
    report.note = kind;
    note.text = std::move(text);
    return true;
  };
  if (!summary_.empty() && fits(summary_text(), "summary")) return note;
  if (!summary_.empty()) report.note_problem = "it is too long";
  if (settings_.note == Note::kNone) return note;
  // Retries with fewer bytes if the tokens are shorter than usual.
  for (auto bytes = static_cast<std::size_t>(settings_.rules.note_tokens) * 3; bytes >= 96;
       bytes /= 2) {
    if (fits(digest_text(bytes), "digest")) return note;
  }
  report.note_tokens = 0;
  return note;
}

long long ContextKeeper::opening_room() const {
  if (budget_.limit() == 0) return 0;
  const Ledger& ledger = conversation_.ledger();
  const std::vector<Pin> pins = find_pins(ledger, budget_);
  long long taken = 0;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    const Exchange& exchange = ledger.exchanges()[i];
    const auto parts = ledger.parts(exchange.first, exchange.end);
    const bool stays = std::any_of(parts.begin(), parts.end(),
                                   [](const ContextPart& part) { return part.pinned; });
    // The current opening is pinned only until the next phase starts.
    if (pins[i] == Pin::kNone || (pins[i] == Pin::kOpening && !stays)) continue;
    taken += exchange.tokens;
  }
  if (ledger.messages().size() == 1) {  // no prompt has been counted yet
    for (const DeclaredTool& tool : request().tools) {
      taken += model_.count_text(tool.name + tool.description + tool.parameters);
    }
  }
  return std::max(kFewestPromptTokens, budget_.high() - budget_.limit() / 16 - taken);
}

long long ContextKeeper::apart_room(std::string_view system) const {
  const long long limit = budget_.limit();
  if (limit == 0) return 0;
  return std::max(kFewestPromptTokens, limit - limit / 16 - model_.count_text(system));
}

}  // namespace pedro
