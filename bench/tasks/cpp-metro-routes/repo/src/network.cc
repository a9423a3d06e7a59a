#include "network.h"

#include <deque>
#include <set>

void Network::add_line(const std::vector<std::string>& stations) {
  for (size_t i = 0; i + 1 < stations.size(); ++i) {
    neighbours_[stations[i]].push_back(stations[i + 1]);
    neighbours_[stations[i + 1]].push_back(stations[i]);
  }
}

std::vector<std::string> Network::route(const std::string& from, const std::string& to) const {
  if (neighbours_.count(from) == 0 || neighbours_.count(to) == 0) return {};
  std::vector<std::string> way;
  std::set<std::string> seen{from};
  std::deque<std::string> open{from};
  while (!open.empty()) {
    const std::string station = open.front();
    open.pop_front();
    way.push_back(station);
    if (station == to) return way;
    for (const std::string& next : neighbours_.at(station)) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return {};
}

std::string format_route(const std::vector<std::string>& route) {
  std::string text;
  for (const std::string& station : route) {
    if (!text.empty()) text += " > ";
    text += station;
  }
  return text;
}
