#include "monitor/conversation_html.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/line_diff.h"
#include "base/text.h"
#include "base/utf8.h"
#include "job/inbox.h"
#include "job/journal_text.h"
#include "job/refusals.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShortBytes = 200;
constexpr std::size_t kDiffContext = 2;
constexpr std::size_t kMaxDiffRows = 400;

std::string shown(std::string_view text) {
  return escape_html(make_printable(cut_middle(text, ConversationHtml::kMaxTextBytes, "")));
}

std::string shown_short(std::string_view text) {
  const std::string_view kept = truncate_utf8(text, kMaxShortBytes);
  return escape_html(one_line(kept) + (kept.size() < text.size() ? "..." : ""));
}

std::string pre(std::string_view text, std::string_view kind = "") {
  if (trim(text).empty()) return "";
  return fmt::format("<pre{}>{}</pre>\n", kind.empty() ? "" : fmt::format(" class=\"{}\"", kind),
                     shown(text));
}

std::string folded(std::string_view title, const std::string& html, bool is_open = false) {
  if (html.empty()) return "";
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open" : "",
                     escape_html(title), html);
}

std::string paragraph(std::string_view kind, const std::string& html) {
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, html);
}

// Returns the difference between two texts of a call.
std::string diff_html(const std::string& before, const std::string& after) {
  std::string html;
  std::size_t rows = 0;
  for (const DiffRow& row : line_diff(before, after, kDiffContext)) {
    if (++rows > kMaxDiffRows) {
      html += "<i>more lines are left out</i>\n";
      break;
    }
    const std::string line = escape_html(make_printable(row.line));
    switch (row.kind) {
      case DiffRow::Kind::kSame:
        html += "  " + line + "\n";
        break;
      case DiffRow::Kind::kRemoved:
        html += "<del>- " + line + "</del>\n";
        break;
      case DiffRow::Kind::kAdded:
        html += "<ins>+ " + line + "</ins>\n";
        break;
      case DiffRow::Kind::kGap:
        html += "<i>…</i>\n";
        break;
    }
  }
  return html.empty() ? "" : "<pre class=\"diff\">" + html + "</pre>\n";
}

// Returns the change that a call asks for, and takes its texts out of `args`.
std::string take_diff(Json& args) {
  if (!args.is_object()) return "";
  constexpr std::pair<const char*, const char*> kPairs[] = {{"old", "new"}, {"", "content"}};
  for (const auto& [before, after] : kPairs) {
    if (!member(args, after).is_string()) continue;
    const std::string old = cut_middle(text_of(args, before), ConversationHtml::kMaxTextBytes, "");
    const std::string now = cut_middle(text_of(args, after), ConversationHtml::kMaxTextBytes, "");
    args.erase(before);
    args.erase(after);
    return diff_html(old, now);
  }
  return "";
}

// Returns the arguments that do not fit a heading.
std::string args_html(const Json& args) {
  std::string html;
  if (!args.is_object()) return "";
  for (const auto& [name, value] : args.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : to_pretty(value);
    if (text.size() <= 80 && text.find('\n') == text.npos) continue;
    html += fmt::format("<p class=\"meta\">{}</p>\n{}", shown_short(name), pre(text));
  }
  return html;
}

}  // namespace

void ConversationHtml::begin(std::string title, int number) {
  close();
  open_.title = std::move(title);
  open_.number = number;
}

void ConversationHtml::add(const std::string& html) {
  if (html.empty()) return;
  if (open_.body.size() + html.size() > kMaxRoundBytes) {
    ++open_.left_out;
  } else {
    open_.body += html;
  }
}

// Keeps the open round, at the cost of the oldest one after the head.
void ConversationHtml::close() {
  Round round = std::exchange(open_, {});
  if (round.body.empty() && round.number == 0) return;
  const std::size_t bytes = round.body.size() + round.title.size();
  if (!head_is_full_ && head_bytes_ + bytes <= kMaxHeadBytes) {
    head_bytes_ += bytes;
    head_.push_back(std::move(round));
    return;
  }
  head_is_full_ = true;
  tail_bytes_ += bytes;
  tail_.push_back(std::move(round));
  while (tail_bytes_ > kMaxTailBytes) {
    tail_bytes_ -= tail_.front().body.size() + tail_.front().title.size();
    left_out_ += tail_.front().number > 0 ? 1 : 0;
    tail_.pop_front();
  }
}

void ConversationHtml::hear_call(const Json& item) {
  const bool ok = truth_of(item, "ok");
  const std::string refusal = Refusals::reason_of(item);
  open_.is_bad = open_.is_bad || !ok;
  Json args = member(item, "args");
  const std::string name = shown_short(call_text(text_of(item, "tool"), args));
  const char* mark = ok ? "ok" : refusal.empty() ? "failed" : "refused";
  add(fmt::format("<h4><span class=\"{}\">{}</span> {}</h4>\n", ok ? "good" : "bad", mark, name));
  add(take_diff(args));
  add(args_html(args));
  add(pre(text_of(item, "text"), ok ? "" : "bad"));
}

void ConversationHtml::hear_check(const Json& item) {
  const bool passed = text_of(item, "status") == "completed";
  open_.is_bad = open_.is_bad || !passed;
  const std::string how = passed ? "passed"
                          : truth_of(item, "timed_out")
                              ? "timed out"
                              : fmt::format("failed, exit {}", number_of(item, "exit_code"));
  add(fmt::format(
      "<h4><span class=\"{}\">check {}</span> {} <span class=\"meta\">{:.1f} s</span></h4>\n",
      passed ? "good" : "bad", how, shown_short(text_of(item, "command")),
      real_of(item, "duration_s")));
  add(folded("output", pre(text_of(item, "aggregated_output")), !passed));
}

void ConversationHtml::hear_item(const Json& item) {
  const std::string type = text_of(item, "type");
  if (type == "agent_message") return add(pre(text_of(item, "text"), "said"));
  if (type == "reasoning") return add(folded("thinking", pre(text_of(item, "text"))));
  if (type == "tool_call") return hear_call(item);
  if (type == "command_execution") return hear_check(item);
  if (type == "file_change") {
    std::string paths;
    for (const Json& change : member(item, "changes")) {
      paths += (paths.empty() ? "" : ", ") + shown_short(text_of(change, "path"));
    }
    return add(paragraph("meta", "changed: " + paths));
  }
  if (type == "policy_decision" && !truth_of(item, "allowed", true)) {
    open_.is_bad = true;
    return add(paragraph(
        "bad", "not allowed by " + shown_short(text_of(item, "by")) + ": " +
                   shown_short(text_of(item, "action") + " " + text_of(item, "command"))));
  }
  if (type == "hook" && truth_of(item, "blocked")) {
    open_.is_bad = true;
    return add(paragraph("bad", "blocked by the hook " + shown_short(text_of(item, "command"))));
  }
  if (type != "error") return;
  const std::string message = text_of(item, "message");
  if (message.starts_with(kUserSays)) {
    return add("<h4>the user says</h4>\n" +
               pre(std::string_view(message).substr(kUserSays.size()), "said"));
  }
  const bool refused = !Refusals::reason_of(item).empty();
  open_.is_bad = open_.is_bad || refused;
  add(paragraph(refused ? "bad" : "notice", shown(message)));
}

void ConversationHtml::hear(const Json& event) {
  const std::string type = text_of(event, "type");
  if (type == "turn.started") {
    ++rounds_;
    begin(fmt::format("{} · {} round {}", rounds_, shown_short(text_of(event, "phase")),
                      number_of(event, "round")),
          rounds_);
  } else if (type == "item.completed") {
    hear_item(member(event, "item"));
  } else if (type == "turn.completed" && open_.number > 0) {
    const Json& usage = member(event, "usage");
    open_.title +=
        fmt::format(" <span class=\"meta\">{} tokens, {} cached, {} written</span>",
                    number_of(usage, "input_tokens"), number_of(usage, "cached_input_tokens"),
                    number_of(usage, "output_tokens"));
  } else if (type == "turn.failed") {
    open_.is_bad = true;  // the reason follows
  } else if (type == "error") {
    open_.is_bad = true;
    add(paragraph("bad", shown(text_of(event, "message"))));
  } else if (type == "phase.started") {
    begin(fmt::format("phase {}", shown_short(text_of(event, "phase"))), 0);
  } else if (type == "phase.completed") {
    const std::string end = text_of(event, "end");
    add(fmt::format("<h4>end of the phase {}: {}</h4>\n", shown_short(text_of(event, "phase")),
                    shown_short(end)));
    const Json& output = member(event, "output");
    if (!output.is_null() && !output.empty()) {
      add(folded("passed on to later phases", pre(to_pretty(output))));
    }
  } else if (type == "context.compacted") {
    add(paragraph("meta", fmt::format("removed from the conversation: {} tokens became {}",
                                      number_of(event, "before"), number_of(event, "after"))));
  } else if (type == "thread.started" && event.contains("resumed_after")) {
    begin("the job continued", 0);
    add(paragraph("meta", fmt::format("after {} rounds", number_of(event, "resumed_after"))));
  }
}

std::string ConversationHtml::html_of(const Round& round, bool is_open) {
  const std::string more =
      round.left_out == 0
          ? ""
          : paragraph("notice", fmt::format("{} parts of this round are left out", round.left_out));
  const std::string id = round.number > 0 ? fmt::format(" id=\"round-{}\"", round.number) : "";
  return fmt::format(
      "<details class=\"round{}\"{}><summary>{}</summary>\n<div{}>\n{}{}</div></details>\n",
      round.is_bad ? " has-bad" : "", is_open ? " open" : "", round.title, id, round.body, more);
}

// An anchor inside of a folded round unfolds it.
std::string ConversationHtml::link_to(const Round& round) {
  if (round.number == 0) return "";
  return fmt::format("<a{} href=\"#round-{}\">{}</a>\n", round.is_bad ? " class=\"bad\"" : "",
                     round.number, round.number);
}

std::string ConversationHtml::html() const {
  std::vector<const Round*> all;
  for (const Round& round : head_) all.push_back(&round);
  const std::size_t gap = all.size();
  for (const Round& round : tail_) all.push_back(&round);
  if (!open_.body.empty() || open_.number > 0) all.push_back(&open_);
  std::string links;
  std::string rounds;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == gap && left_out_ > 0) {
      const std::string missing = fmt::format(
          "{} rounds are left out: this page shows the first {} MiB and the last {} MiB; `pedrocli "
          "logs -json JOB` has all",
          left_out_, kMaxHeadBytes >> 20, kMaxTailBytes >> 20);
      rounds += paragraph("notice", escape_html(missing));
      links += "… ";
    }
    links += link_to(*all[i]);
    rounds += html_of(*all[i], i + 1 == all.size());
  }
  if (rounds.empty()) return "";
  return fmt::format(
      "<section><h2>Conversation</h2>\n<p class=\"meta\">Each round unfolds, also by its link and "
      "by the browser's search. Red ones have a refusal or a failure.</p>\n"
      "<nav class=\"rounds\">{}</nav>\n{}</section>\n",
      links, rounds);
}

}  // namespace pedro
