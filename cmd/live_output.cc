#include <cstdio>
#include <optional>

#include "agent_job.h"
#include "base/json.h"
#include "base/utf8.h"
#include "command.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

constexpr long long kShowEveryMs = 50;
constexpr std::size_t kMaxAnswerBytes = 4096;
constexpr std::size_t kMaxMessageBytes = 6 * Inbox::kMaxTextBytes + 4096;  // escaped

void print_now(std::string_view line) {
  print(line);
  std::fflush(stdout);
}

}  // namespace

void LiveOutput::print_event(std::string_view line) {
  print_now(line);
  stream_ = AnswerStream("answer");
  shown_.clear();
}

void LiveOutput::hear_text(std::string_view part) {
  stream_.feed(part);
  const long long now = clock_.ticks_ms();
  if (now - last_shown_ms_ < kShowEveryMs) return;
  const std::string answer = stream_.text();
  const std::size_t word = answer.find_last_of(" \n");
  if (word == answer.npos) return;
  const std::string text = make_printable(secrets_.hide(answer.substr(0, word + 1)));
  // A secret that was incomplete changes earlier text.
  if (text.size() <= shown_.size() || !text.starts_with(shown_)) return;
  Json line = {{"type", "answer.delta"}, {"text", text.substr(shown_.size())}};
  if (shown_.empty()) line["begins"] = true;
  print_now(to_line(line) + "\n");
  shown_ = text;
  last_shown_ms_ = now;
}

Result<policy::Answer> LiveOutput::ask(const policy::Question& question,
                                       const CancelToken& cancel) {
  const auto shown = [&](const std::string& text) { return make_printable(secrets_.hide(text)); };
  const int number = ++questions_;
  print_now(to_line({{"type", "permission.asked"},
                     {"number", number},
                     {"what", shown(question.what)},
                     {"why", shown(question.why)},
                     {"always", shown(question.always)}}) +
            "\n");
  for (;;) {
    PEDRO_TRY(const auto line, next_line(cancel, kMaxAnswerBytes));
    if (!line) return policy::Answer::kNo;
    const Result<Json> answer = parse_json(*line);
    if (!answer || number_of(*answer, "number") != number) continue;  // of an earlier question
    const std::string word = text_of(*answer, "answer");
    return word == "yes"      ? policy::Answer::kYes
           : word == "always" ? policy::Answer::kAlways
                              : policy::Answer::kNo;
  }
}

std::string LiveOutput::next_message(const CancelToken& cancel) const {
  for (;;) {
    const auto line = next_line(cancel, kMaxMessageBytes);
    if (!line || !*line) return "";
    const Result<Json> message = parse_json(**line);
    if (message && !text_of(*message, "message").empty()) return text_of(*message, "message");
  }
}

}  // namespace pedro
