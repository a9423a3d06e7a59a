#include "check.h"
#include "network.h"

int main() {
  Network ring;
  ring.add_line({"A", "B", "C", "D", "E", "F", "G", "A"});
  CHECK_EQ("A", format_route(ring.route("A", "A")));
  CHECK_EQ("A > B > C", format_route(ring.route("A", "C")));
  CHECK_EQ("C > B > A", format_route(ring.route("C", "A")));
  CHECK_EQ("A > G > F > E", format_route(ring.route("A", "E")));
  CHECK_EQ("E > F > G > A", format_route(ring.route("E", "A")));
  CHECK_EQ("F > G > A > B", format_route(ring.route("F", "B")));

  ring.add_line({"B", "X", "F"});
  CHECK_EQ("B > X > F", format_route(ring.route("B", "F")));
  CHECK_EQ("F > X > B", format_route(ring.route("F", "B")));
  CHECK_EQ("C > B > X > F", format_route(ring.route("C", "F")));

  ring.add_line({"P", "Q"});
  CHECK_EQ("Q > P", format_route(ring.route("Q", "P")));
  CHECK_EQ("", format_route(ring.route("A", "P")));
  CHECK_EQ("", format_route(ring.route("A", "?")));
  CHECK_EQ("", format_route(ring.route("?", "A")));
  return check_result();
}
