#include "json_writer.h"

#include "check.h"

int main() {
  JsonWriter person;
  person.begin_object();
  person.key("name");
  person.string("Ada \"Countess\"");
  person.key("age");
  person.number(36);
  person.key("member");
  person.boolean(true);
  person.end_object();
  CHECK_EQ(R"({"name":"Ada \"Countess\"","age":36,"member":true})", person.text());

  JsonWriter nested;
  nested.begin_array();
  nested.begin_object();
  nested.end_object();
  nested.begin_object();
  nested.end_object();
  nested.end_array();
  CHECK_EQ("[{},{}]", nested.text());

  JsonWriter path;
  path.string("C:\\new\nline");
  CHECK_EQ(R"("C:\\new\nline")", path.text());
  return check_result();
}
