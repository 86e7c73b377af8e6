// A worker is a thread with a multiprocessor. When it has run a stream to its end it waits for another:
// threads, and their fibers, are made once.
#pragma once

#include <functional>

#include "multiprocessor.h"

namespace softcuda {

void employ(std::function<void()> job); // at once, on a thread of its own
Multiprocessor &multiprocessor();       // of the worker that calls

} // namespace softcuda
