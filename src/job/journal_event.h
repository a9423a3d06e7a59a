#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// A kind of line in a journal, or a kind of item in it. docs/reference/events.md lists these rows.
struct JournalEvent {
  std::string_view type;
  std::string_view fields;  ///< Markdown: each field's name as `name`, with its meaning
};

/// The types of events. Journal writes no other.
std::span<const JournalEvent> journal_events();
/// The types of items, in the events `item.started` and `item.completed`.
std::span<const JournalEvent> journal_items();

}  // namespace pedro
