#include "network.h"

#include <algorithm>
#include <vector>

void Network::add_line(const std::vector<std::string>& stations) {
  for (size_t i = 0; i + 1 < stations.size(); ++i) {
    neighbours_[stations[i]].push_back(stations[i + 1]);
    neighbours_[stations[i + 1]].push_back(stations[i]);
  }
}

std::vector<std::string> Network::route(const std::string& from, const std::string& to) const {
  if (neighbours_.count(from) == 0 || neighbours_.count(to) == 0) return {};
  std::map<std::string, std::string> came_from{{from, from}};
  std::vector<std::string> open{from};
  while (!open.empty()) {
    const std::string station = open.back();
    open.pop_back();
    if (station == to) {
      std::vector<std::string> way{to};
      while (way.back() != from) way.push_back(came_from.at(way.back()));
      std::reverse(way.begin(), way.end());
      return way;
    }
    for (const std::string& next : neighbours_.at(station)) {
      if (came_from.insert({next, station}).second) open.push_back(next);
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
