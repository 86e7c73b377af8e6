// A fiber is a stack on which threads of a block run one after another, until one has to wait.
#pragma once

#include "multiprocessor.h"

namespace softcuda {

struct Multiprocessor::Fiber {
	Fiber();
	~Fiber();

	char *stack;
	Place at;      // where it has left
	bool resting;  // it runs no thread
	unsigned thread;
	uint3 index; // its threadIdx

	// Of the meeting that the thread waits for.
	unsigned mask, lane;
	Meeting meeting;
	uint64_t value, result;
};

} // namespace softcuda
