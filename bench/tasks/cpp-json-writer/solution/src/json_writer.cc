#include "json_writer.h"

#include <cstdio>

void JsonWriter::begin(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
}

void JsonWriter::begin_object() {
  begin('{');
}

void JsonWriter::end_object() {
  text_ += '}';
  first_ = false;
}

void JsonWriter::begin_array() {
  begin('[');
}

void JsonWriter::end_array() {
  text_ += ']';
  first_ = false;
}

void JsonWriter::key(const std::string& name) {
  separate();
  quote(name);
  text_ += ':';
  first_ = true;
}

void JsonWriter::string(const std::string& value) {
  separate();
  quote(value);
}

void JsonWriter::number(long value) {
  separate();
  text_ += std::to_string(value);
}

void JsonWriter::boolean(bool value) {
  separate();
  text_ += value ? "true" : "false";
}

void JsonWriter::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

void JsonWriter::quote(const std::string& value) {
  text_ += '"';
  for (char c : value) {
    if (c == '\n') {
      text_ += "\\n";
    } else if (c == '\t') {
      text_ += "\\t";
    } else if (static_cast<unsigned char>(c) < 32) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      text_ += escape;
    } else {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
  }
  text_ += '"';
}
