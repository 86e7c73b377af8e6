// Faults that a test asks for by $SOFTCUDA_FAULT, separated by commas:
//
//	oom@N      the Nth allocation of a card's memory fails; oom@N+ those after it as well
//	sticky@N   the Nth launch ends with an illegal address, and with it its context
//	hang@N     the Nth launch never ends
//	register   host memory cannot be registered
//	nodevice   there is no card
//	init=CODE  cuInit fails
//
// Allocations and launches are counted since the variable was last seen to change.
#pragma once

#include <cuda.h>

namespace softcuda {

enum class Course { normal, sticky, hang };

Course next_launch();        // counts it
bool next_allocation_fails(); // counts it
bool registration_fails();
CUresult initialisation();

} // namespace softcuda
