#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/line_diff.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat.h"
#include "command.h"
#include "tools/terminal_text.h"

namespace pedro {
namespace {

constexpr const char* kDim = "2";
constexpr const char* kRed = "31";
constexpr const char* kGreen = "32";
constexpr const char* kYellow = "33";
constexpr const char* kPlain = "";
constexpr std::size_t kShownDiffRows = 40;
constexpr std::size_t kShownLines = 3;  // of a failed call
constexpr std::size_t kDiffContext = 2;

}  // namespace

void ChatScreen::write(std::string_view text) {
  print(text);
  std::fflush(stdout);
}

void ChatScreen::end_text() {
  if (in_text_) write("\n");
  in_text_ = false;
}

void ChatScreen::line(std::string_view text, const char* code) {
  end_text();
  const std::string fitted = fit_columns(text, columns_());
  write(colour_ && *code != '\0' ? fmt::format("\x1b[{}m{}\x1b[0m\n", code, fitted)
                                 : fitted + "\n");
}

// Breaks lines that are too long.
void ChatScreen::wrapped(std::string_view text, const char* code) {
  const int columns = columns_();
  for (const std::string_view one : split_lines(text)) {
    const std::string lines = columns_of(one) <= columns
                                  ? std::string(one)
                                  : wrap_text(one, static_cast<std::size_t>(columns));
    for (const std::string_view part : split_lines(lines)) line(part, code);
  }
}

void ChatScreen::note(std::string_view text) {
  wrapped(text, kDim);
}

void ChatScreen::problem(std::string_view text) {
  wrapped(text, kRed);
}

void ChatScreen::print_lines(std::string_view text) {
  end_text();
  write(make_printable(text));
  if (!text.empty() && !text.ends_with('\n')) write("\n");
}

void ChatScreen::show(const Json& update) {
  const std::string kind = text_of(update, "sessionUpdate");
  if (kind == "agent_message_chunk") {
    show_text(update);
  } else if (kind == "agent_thought_chunk") {
    note(trim(text_of(member(update, "content"), "text")));
  } else if (kind == "user_message_chunk") {
    print_lines("> " + replace_all(text_of(member(update, "content"), "text"), "\n", "\n  "));
  } else if (kind == "tool_call") {
    start_call(update);
  } else if (kind == "tool_call_update") {
    end_call(update);
  } else if (kind == "plan") {
    show_plan(member(update, "entries"));
  } else if (kind == "usage_update") {
    const long long size = number_of(update, "size");
    if (size > 0) used_percent_ = static_cast<int>(100 * number_of(update, "used") / size);
  } else if (kind == "session_info_update") {
    const std::string job = text_of(member(update, "_meta"), "pedrocli/job");
    if (!job.empty()) job_ = job;
  }
}

void ChatScreen::show_text(const Json& update) {
  const std::string text = text_of(member(update, "content"), "text");
  const std::string id = text_of(update, "messageId");
  if (id != message_) end_text();
  message_ = id;
  if (text.empty()) return;
  write(make_printable(text));
  in_text_ = !text.ends_with('\n');
}

void ChatScreen::start_call(const Json& update) {
  calls_[text_of(update, "toolCallId")] = text_of(update, "title");
}

// Shows a call once it has ended. Later updates of it have its changes.
void ChatScreen::end_call(const Json& update) {
  const std::string id = text_of(update, "toolCallId");
  const std::string status = text_of(update, "status");
  const bool has_failed = status == "failed";
  const auto title = calls_.find(id);
  if (title != calls_.end() && (has_failed || status == "completed")) {
    line(fmt::format("  {} {}", has_failed ? "failed" : "ok", title->second),
         has_failed ? kYellow : kGreen);
    calls_.erase(title);
  }
  for (const Json& content : member(update, "content")) {
    if (text_of(content, "type") == "diff") {
      show_change(content);
    } else if (has_failed) {
      const std::string text = text_of(member(content, "content"), "text");
      const auto lines = split_lines(text);
      for (std::size_t i = 0; i < std::min(lines.size(), kShownLines); ++i) {
        line("    " + std::string(lines[i]), kDim);
      }
    }
  }
}

void ChatScreen::show_change(const Json& change) {
  const std::string before = text_of(change, "oldText");
  const std::string after = text_of(change, "newText");
  const std::vector<DiffRow> rows = line_diff(before, after, kDiffContext);
  line("  " + text_of(change, "path"), kPlain);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == kShownDiffRows) {
      return line(fmt::format("    … {} more lines; /diff shows all", rows.size() - i), kDim);
    }
    const DiffRow& row = rows[i];
    switch (row.kind) {
      case DiffRow::Kind::kSame:
        line(fmt::format("  {:>5}   {}", row.number, row.line), kDim);
        break;
      case DiffRow::Kind::kRemoved:
        line(fmt::format("  {:>5} - {}", row.number, row.line), kRed);
        break;
      case DiffRow::Kind::kAdded:
        line(fmt::format("  {:>5} + {}", row.number, row.line), kGreen);
        break;
      case DiffRow::Kind::kGap:
        line("        …", kDim);
        break;
    }
  }
}

// Shows the entry that is in progress, once.
void ChatScreen::show_plan(const Json& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (text_of(entries[i], "status") != "in_progress") continue;
    const std::string step =
        fmt::format("[{}/{}] {}", i + 1, entries.size(), text_of(entries[i], "content"));
    if (step != step_) note(step);
    step_ = step;
    return;
  }
}

}  // namespace pedro
