#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// The parser of parse_shell_text(), used for one text. Open constructs form a stack of frames. For
/// the sources of shell_text only.
class ShellReader {
 public:
  explicit ShellReader(const NestedText& text);

  ShellText read();

 private:
  enum class Kind {
    kTop,         // the whole text
    kParens,      // ( ..., $( ..., <( ...
    kCase,        // case ... in ...
    kArray,       // name=( ...
    kQuote,       // " ...
    kParameter,   // ${ ...
    kArithmetic,  // $(( ..., (( ...
    kBody,        // the body of a here-document
  };
  // The word being read.
  struct Word {
    std::string text;
    bool started = false;
    bool known = true;
    bool glob = false;
    bool bracket = false;      // after an open '['
    bool brace = false;        // after an open '{'
    bool brace_parts = false;  // and a ',' or ".." after it
    std::size_t quoted_from = std::string::npos;
  };
  // The purpose of words that are not part of a command.
  enum class Dropped { kNone, kFor, kCaseSubject, kFunctionName, kTimeOptions, kTest };
  enum class Target { kNone, kFile, kHere, kHereTabs, kHereString };  // of a redirection
  struct Frame {
    Kind kind = Kind::kTop;
    // For frames with commands:
    Word word;
    int command = -1;  // in commands_
    Dropped dropped = Dropped::kNone;
    int dropped_words = 0;
    Target target = Target::kNone;
    bool pattern = false;  // for kCase
    // For other frames:
    bool in_quotes = false;
    int parens = 0;
  };
  struct HereDocument {
    std::string end;
    bool quoted = false;
    bool tabs = false;
    int command = -1;
    std::size_t depth = 0;
  };

  // Commands and words; in shell_reader.cc.
  void step_command();
  bool step_blank(char c);
  bool step_operator(char c);
  void step_test(char c);
  void step_semicolon();
  void step_ampersand();
  void step_bar();
  void open_paren();
  void close_paren();
  bool close_function_parens();
  void finish_word();
  void take_word(Word word);
  void take_target(const Word& word);
  bool take_dropped(const Word& word);
  bool take_reserved(const std::string& word);
  void add_word(const Word& word);
  void note_loop_variable(const std::string& name);
  void end_command();
  ShellCommand& command();

  // Contents of words; in shell_expansion.cc.
  void step_word_char(char c);
  void step_redirection(char c);
  void step_quote();
  void step_parameter();
  void step_arithmetic();
  void read_single_quotes();
  void read_dollar(bool in_quotes);
  void read_ansi_quotes();
  void read_backticks(bool in_quotes);
  void read_here_documents();
  void read_here_document(const HereDocument& document);
  void push(Kind kind, bool in_quotes = false);
  void add_char(char c);
  void add_quoted(char c);
  void mark_unknown();

  static bool has_commands(Kind kind);
  Frame& top() { return frames_.back(); }
  Frame& owner();  // the frame whose word is being read
  bool at_command() { return top().command < 0 || commands_[index()].words.empty(); }
  std::size_t index() { return static_cast<std::size_t>(top().command); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(std::string_view expected);
  void fail(std::string_view problem);

  std::string_view text_;
  ShellDialect dialect_;
  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  std::vector<ShellCommand> commands_;
  std::vector<NestedText> nested_;
  std::vector<HereDocument> here_;
  bool arithmetic_ = false;        // arithmetic occurred
  bool joined_subscript_ = false;  // a value with a '[' and unknown parts occurred
  std::string problem_;
};

}  // namespace pedro
