#pragma once

#include <cstddef>

namespace pedro {

/// Measures the memory allocated by operator new, and its peak since start_heap_peak(). A program
/// that links heap_peak.cc gets a counting operator new. Call both functions from one thread.
void start_heap_peak();
/// The peak in bytes, above the memory in use at the start.
std::size_t heap_peak();

}  // namespace pedro
