#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace pedro {

/// Ids of calls that wait for their results, in the order of the calls; an id may come twice. What
/// is asked of it costs the logarithm of their number.
class WaitingCalls {
 public:
  void add(const std::string& id) {
    by_id_.emplace(id, added_);
    by_place_.emplace(added_++, id);
  }
  /// The first call of that id waits no more; false where there is none.
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
  /// The one that waits longest. Requires that there is one.
  const std::string& first() const { return by_place_.begin()->second; }

 private:
  std::size_t added_ = 0;
  std::set<std::pair<std::string, std::size_t>> by_id_;
  std::map<std::size_t, std::string> by_place_;
};

}  // namespace pedro
