#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

/// Renders the rounds of a journal as HTML: texts, calls with diffs and results, refusals, checks,
/// and outputs of phases. Each round is folded and has the anchor `round-N`. All texts are escaped.
///
/// Limits: kMaxTextBytes for a text, kMaxRoundBytes for a round, and kMaxHeadBytes plus
/// kMaxTailBytes for all. Rounds in the middle are left out, with a note.
///
///     ConversationHtml rounds;
///     read_journal(files, path, [&](const Json& event) { rounds.hear(event); });
///     rounds.html()
class ConversationHtml {
 public:
  static constexpr std::size_t kMaxTextBytes = 16u << 10;
  static constexpr std::size_t kMaxRoundBytes = 256u << 10;
  static constexpr std::size_t kMaxHeadBytes = 1u << 20;
  static constexpr std::size_t kMaxTailBytes = 7u << 20;

  void hear(const Json& event);
  /// Returns the section, "" if there are no rounds and nothing before them.
  std::string html() const;

 private:
  // The events between two replies.
  struct Round {
    int number = 0;                         // of the job, from 1; 0: events before a reply
    std::string title = "before the work";  // HTML
    std::string body;
    std::size_t left_out = 0;  // parts beyond kMaxRoundBytes
    bool is_bad = false;       // has a refusal, or a failed call or check
  };

  void begin(std::string title, int number);
  void add(const std::string& html);
  void hear_item(const Json& item);
  void hear_call(const Json& item);
  void hear_check(const Json& item);
  void close();
  static std::string html_of(const Round& round, bool is_open);
  static std::string link_to(const Round& round);

  Round open_;
  std::deque<Round> head_;
  std::deque<Round> tail_;
  std::size_t head_bytes_ = 0;
  std::size_t tail_bytes_ = 0;
  bool head_is_full_ = false;
  int left_out_ = 0;  // rounds in the middle
  int rounds_ = 0;
};

}  // namespace pedro
