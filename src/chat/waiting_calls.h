#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace pedro {

/// Ids of calls without results, in the order of the calls. An id may occur twice. Operations take
/// logarithmic time.
class WaitingCalls {
 public:
  void add(const std::string& id) {
    by_id_.emplace(id, added_);
    by_place_.emplace(added_++, id);
  }
  /// Removes the first call with that id; returns false if there is none.
  bool answer(const std::string& id) {
    const auto at = by_id_.lower_bound({id, 0});
    if (at == by_id_.end() || at->first != id) return false;
    by_place_.erase(at->second);
    by_id_.erase(at);
    return true;
  }
  void clear() { *this = {}; }

  bool empty() const { return by_place_.empty(); }
  std::size_t size() const { return by_place_.size(); }
  /// The id of the first call. Requires at least one.
  const std::string& first() const { return by_place_.begin()->second; }

 private:
  std::size_t added_ = 0;
  std::set<std::pair<std::string, std::size_t>> by_id_;
  std::map<std::size_t, std::string> by_place_;
};

}  // namespace pedro
