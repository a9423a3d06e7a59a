#include "json_writer.h"

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
}

void JsonWriter::begin_array() {
  begin('[');
}

void JsonWriter::end_array() {
  text_ += ']';
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
  text_ += std::to_string(value);
}

void JsonWriter::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

void JsonWriter::quote(const std::string& value) {
  text_ += '"';
  for (char c : value) {
    if (c == '"') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}
