#pragma once

#include <cstddef>

namespace pedro {

/// How much memory of operator new is in use, and the most there was since start_heap_peak(). A
/// program that links heap_peak.cc has its own operator new, which counts. One thread.
void start_heap_peak();
/// In bytes, above what was in use at the start.
std::size_t heap_peak();

}  // namespace pedro
