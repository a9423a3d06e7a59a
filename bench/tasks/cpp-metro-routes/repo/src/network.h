// The stations of a metro network and the ways between them.
#pragma once

#include <map>
#include <string>
#include <vector>

class Network {
 public:
  /// Adds a line. Trains run in both directions between neighbours.
  void add_line(const std::vector<std::string>& stations);

  /// A way with the fewest stops, from the first station to the last one, both included.
  /// It is empty if a station is unknown or if there is no way.
  std::vector<std::string> route(const std::string& from, const std::string& to) const;

 private:
  std::map<std::string, std::vector<std::string>> neighbours_;
};

/// A route as text, such as "Airport > Center > Zoo".
std::string format_route(const std::vector<std::string>& route);
