#include "network.h"

#include "check.h"

int main() {
  Network metro;
  metro.add_line({"Airport", "Center", "Harbor"});
  metro.add_line({"Park", "Center", "Zoo"});
  metro.add_line({"Island", "Beach"});
  CHECK_EQ("Airport > Center", format_route(metro.route("Airport", "Center")));
  CHECK_EQ("Airport > Center > Zoo", format_route(metro.route("Airport", "Zoo")));
  CHECK_EQ("Park > Center > Harbor", format_route(metro.route("Park", "Harbor")));
  CHECK_EQ("", format_route(metro.route("Airport", "Beach")));
  CHECK_EQ("", format_route(metro.route("Airport", "Moon")));
  return check_result();
}
