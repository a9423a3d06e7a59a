#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/interrupt_key.h"

namespace pedro {

/// Reads messages of the user. A terminal has editing, history and completion (libedit). A dumb
/// terminal, another input and a build without libedit have plain lines.
///
///     LineEditor editor(history_path, complete, key);
///     while (const auto text = *editor.read("> ", cancel)) ...
class LineEditor {
 public:
  /// Returns the possible completions of the last word of a line, each as a whole word.
  using Complete = std::function<std::vector<std::string>(const std::string& line)>;

  static constexpr std::size_t kMaxBytes = 64u << 10;

  /// `history_path`: file of the history, private to the user; "": none. Borrows `key`.
  LineEditor(std::string history_path, Complete complete, const InterruptKey& key);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Reads a message. A line that ends with a backslash, and lines that are pasted together, belong
  /// to one message. Returns nothing at the end of the input; "" after Ctrl-C. Errors:
  /// kInterrupted.
  Result<std::optional<std::string>> read(const std::string& prompt, const CancelToken& cancel);

  /// Adds a message to the history.
  void remember(const std::string& text);

 private:
  class Terminal;

  Result<std::optional<std::string>> read_one(const std::string& prompt, const CancelToken& cancel);

  const InterruptKey& key_;
  std::unique_ptr<Terminal> terminal_;  // null: plain lines
};

}  // namespace pedro
