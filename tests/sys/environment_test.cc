#include "sys/environment.h"

#include <doctest/doctest.h>
#include <stdlib.h>

namespace pedro {

TEST_CASE("environment: is a copy of this process' variables") {
  REQUIRE(::setenv("PEDRO_TEST_VARIABLE", "a=b c", 1) == 0);
  const Environment environment = real_environment();
  CHECK(environment.get("PEDRO_TEST_VARIABLE") == "a=b c");
  REQUIRE(::unsetenv("PEDRO_TEST_VARIABLE") == 0);
  CHECK(environment.get("PEDRO_TEST_VARIABLE") == "a=b c");
  CHECK(real_environment().get("PEDRO_TEST_VARIABLE").empty());
}

TEST_CASE("environment: folders follow XDG, which must be absolute") {
  const Environment unset{{{"HOME", "/home/me"}}};
  CHECK(unset.state_folder() == "/home/me/.local/state/pedrocli");
  const Environment set{{{"HOME", "/home/me"}, {"XDG_CONFIG_HOME", "/etc/xdg"}}};
  CHECK(set.config_folder() == "/etc/xdg/pedrocli");
  const Environment relative{{{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "cache"}}};
  CHECK(relative.cache_folder() == "/home/me/.cache/pedrocli");
  CHECK(relative.data_folder() == "/home/me/.local/share/pedrocli");
}

}  // namespace pedro
