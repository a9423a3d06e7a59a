// Writes JSON step by step. The caller keeps begin and end in balance.
#pragma once

#include <string>

class JsonWriter {
 public:
  void begin_object();
  void end_object();
  void begin_array();
  void end_array();

  /// Writes the key of the next value. Only inside an object.
  void key(const std::string& name);

  /// In strings and keys, a quote and a backslash get a backslash before them. A newline is
  /// `\n`, a tab is `\t`, and any other character below 32 is `\u` with four hex digits in
  /// lower case. All other bytes stay as they are.
  void string(const std::string& value);
  void number(long value);
  void boolean(bool value);

  const std::string& text() const { return text_; }

 private:
  void begin(char bracket);
  void separate();
  void quote(const std::string& value);

  std::string text_;
  bool first_ = true;  // no comma before the next key or value
};
