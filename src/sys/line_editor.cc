#include "sys/line_editor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <string_view>

#ifdef PEDROCLI_HAS_LIBEDIT
#include <histedit.h>
#endif

#include "base/text.h"
#include "sys/interrupted.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

constexpr int kPasteMs = 20;  // a line that follows this soon was pasted

bool has_input(int wait_ms) {
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  return ::poll(&waiting, 1, wait_ms) == 1 && (waiting.revents & POLLIN) != 0;
}

bool can_edit() {
  const char* kind = std::getenv("TERM");
  return is_terminal(StandardStream::kIn) && is_terminal(StandardStream::kOut) && kind != nullptr &&
         std::string_view(kind) != "dumb";
}

}  // namespace

#ifdef PEDROCLI_HAS_LIBEDIT

class LineEditor::Terminal {
 public:
  Terminal(std::string history_path, Complete complete, const InterruptKey& key)
      : path_(std::move(history_path)), complete_(std::move(complete)), key_(key) {
    std::setlocale(LC_CTYPE, "");
    editor_ = ::el_init("pedrocli", stdin, stdout, stderr);
    history_ = ::history_init();
    HistEvent event;
    ::history(history_, &event, H_SETSIZE, kMaxHistory);
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!path_.empty()) ::history(history_, &event, H_LOAD, path_.c_str());
    ::el_set(editor_, EL_CLIENTDATA, this);
    ::el_set(editor_, EL_PROMPT, prompt_of);
    ::el_set(editor_, EL_EDITOR, "emacs");
    ::el_set(editor_, EL_HIST, ::history, history_);
    ::el_set(editor_, EL_GETCFN, next_character);
    ::el_set(editor_, EL_ADDFN, "complete", "Complete a command or a path", complete_word);
    ::el_set(editor_, EL_BIND, "\t", "complete", nullptr);
    ::el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }
  ~Terminal() {
    save_history();
    ::history_end(history_);
    ::el_end(editor_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Returns nothing at the end of the input, or if it was interrupted.
  std::optional<std::string> read(const std::string& prompt, const CancelToken& cancel) {
    prompt_ = prompt;
    cancel_ = &cancel;
    ::el_resize(editor_);
    int count = 0;
    const char* line = ::el_gets(editor_, &count);
    if (line == nullptr || count <= 0) return std::nullopt;
    return std::string(line, static_cast<std::size_t>(count));
  }

  void remember(const std::string& text) {
    HistEvent event;
    // A line of the history file has no line end inside.
    ::history(history_, &event, H_ENTER, replace_all(text, "\n", " ").c_str());
  }

 private:
  static constexpr int kMaxHistory = 1000;
  static constexpr int kLookEveryMs = 200;

  static Terminal* self_of(EditLine* editor) {
    void* self = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &self);
    return static_cast<Terminal*>(self);
  }
  static char* prompt_of(EditLine* editor) { return self_of(editor)->prompt_.data(); }

  // Waits for a character, for a signal or for Ctrl-C. Returns 1, 0 at the end, or -1.
  static int next_character(EditLine* editor, wchar_t* character) {
    const Terminal& self = *self_of(editor);
    std::mbstate_t state{};
    for (;;) {
      if (self.cancel_->cancelled() || self.key_.is_pressed()) return -1;
      if (!has_input(kLookEveryMs)) continue;
      char byte = '\0';
      const auto got = ::read(STDIN_FILENO, &byte, 1);
      if (got < 0) continue;
      if (got == 0) return 0;
      const std::size_t done = std::mbrtowc(character, &byte, 1, &state);
      if (done == static_cast<std::size_t>(-2)) continue;  // an incomplete character
      if (done != static_cast<std::size_t>(-1)) return 1;
      state = {};
    }
  }

  static unsigned char complete_word(EditLine* editor, int) {
    const Terminal& self = *self_of(editor);
    const LineInfo* line = ::el_line(editor);
    const std::string before(line->buffer, line->cursor);
    const std::vector<std::string> words = self.complete_(before);
    if (words.empty()) return CC_ERROR;
    const std::size_t blank = before.find_last_of(" \t");
    const std::string word = blank == before.npos ? before : before.substr(blank + 1);
    std::string common = words.front();
    for (const std::string& other : words) {
      const auto differ = std::mismatch(common.begin(), common.end(), other.begin(), other.end());
      common.erase(differ.first, common.end());
    }
    if (words.size() == 1 && !common.ends_with('/')) common += ' ';
    if (common.size() > word.size()) {
      return ::el_insertstr(editor, common.substr(word.size()).c_str()) == 0 ? CC_REFRESH
                                                                             : CC_ERROR;
    }
    std::fputs(("\n" + join(words, "  ") + "\n").c_str(), stdout);
    return CC_REDISPLAY;
  }

  // Replaces the file as a whole.
  void save_history() const {
    if (path_.empty()) return;
    const std::string part = path_ + ".new";
    const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w");
    if (file == nullptr) return;
    HistEvent event;
    const bool saved = ::history(history_, &event, H_SAVE_FP, file) >= 0;
    if (std::fclose(file) == 0 && saved) (void)::rename(part.c_str(), path_.c_str());
  }

  std::string path_;
  Complete complete_;
  const InterruptKey& key_;
  const CancelToken* cancel_ = nullptr;
  std::string prompt_;
  EditLine* editor_ = nullptr;
  History* history_ = nullptr;
};

#else

class LineEditor::Terminal {
 public:
  Terminal(const std::string&, const Complete&, const InterruptKey&) {}
  std::optional<std::string> read(const std::string&, const CancelToken&) { return std::nullopt; }
  void remember(const std::string&) {}
};

#endif

LineEditor::LineEditor(std::string history_path, Complete complete, const InterruptKey& key)
    : key_(key) {
#ifdef PEDROCLI_HAS_LIBEDIT
  if (can_edit()) {
    terminal_ = std::make_unique<Terminal>(std::move(history_path), std::move(complete), key);
  }
#else
  (void)can_edit;
#endif
}

LineEditor::~LineEditor() = default;

Result<std::optional<std::string>> LineEditor::read_one(const std::string& prompt,
                                                        const CancelToken& cancel) {
  if (terminal_) {
    std::optional<std::string> line = terminal_->read(prompt, cancel);
    if (line && line->ends_with('\n')) line->pop_back();
    return line;
  }
  if (is_terminal(StandardStream::kIn)) {
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
  }
  return next_line(cancel, kMaxBytes);
}

Result<std::optional<std::string>> LineEditor::read(const std::string& prompt,
                                                    const CancelToken& cancel) {
  std::string text;
  for (bool is_first = true;; is_first = false) {
    PEDRO_TRY(const auto line, read_one(is_first ? prompt : "... ", cancel));
    if (cancel.cancelled()) return interrupted(cancel);
    if (!line) {
      if (key_.is_pressed()) return std::optional(std::string());
      return text.empty() ? std::optional<std::string>() : std::optional(std::move(text));
    }
    text += (is_first ? "" : "\n") + *line;
    const bool goes_on = text.ends_with('\\') && text.size() < kMaxBytes;
    if (goes_on) text.pop_back();
    const bool is_pasted = terminal_ && has_input(kPasteMs);
    if (!goes_on && !is_pasted) return std::optional(std::move(text));
  }
}

void LineEditor::remember(const std::string& text) {
  if (terminal_) terminal_->remember(text);
}

}  // namespace pedro
