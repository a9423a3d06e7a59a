#include "check.h"
#include "json_writer.h"

static std::string quoted(const std::string& value) {
  JsonWriter json;
  json.string(value);
  return json.text();
}

int main() {
  CHECK_EQ(R"("")", quoted(""));
  CHECK_EQ(R"("a\tb")", quoted("a\tb"));
  CHECK_EQ(R"("a\nb\n")", quoted("a\nb\n"));
  CHECK_EQ(R"("\\\"\\")", quoted("\\\"\\"));
  CHECK_EQ(R"("\u0001\u001f\u000d")", quoted("\x01\x1f\r"));
  CHECK_EQ("\" \x7f gr\xc3\xbc\xc3\x9f\"", quoted(" \x7f gr\xc3\xbc\xc3\x9f"));

  JsonWriter keys;
  keys.begin_object();
  keys.key("a\\b\t\"c\"");
  keys.boolean(false);
  keys.end_object();
  CHECK_EQ(R"({"a\\b\t\"c\"":false})", keys.text());

  JsonWriter nested;
  nested.begin_object();
  nested.key("empty");
  nested.begin_array();
  nested.end_array();
  nested.key("list");
  nested.begin_array();
  nested.begin_array();
  nested.end_array();
  nested.number(-1);
  nested.begin_object();
  nested.key("x");
  nested.begin_object();
  nested.end_object();
  nested.end_object();
  nested.boolean(true);
  nested.end_array();
  nested.key("last");
  nested.string("z");
  nested.end_object();
  CHECK_EQ(R"({"empty":[],"list":[[],-1,{"x":{}},true],"last":"z"})", nested.text());
  return check_result();
}
