// Cards are what $SOFTCUDA_CARDS says (1), each with $SOFTCUDA_MEMORY bytes (1 GiB).
#pragma once

#include <cuda.h>

#include <cstdint>
#include <mutex>

namespace softcuda {

// Card is one; what is allocated of it is counted, in this process or, by $SOFTCUDA_SHARED, in several.
struct Card {
	int ordinal;
	uint64_t total;
	std::mutex guard;
	uint64_t used = 0;         // by this process

	std::mutex context_guard;
	CUcontext primary = nullptr; // while it is retained
	unsigned retained = 0, flags = 0;

	bool take(uint64_t bytes);
	void give(uint64_t bytes);
	uint64_t free();
};

int cards();
Card *card(int ordinal); // null: there is no such one
bool peers();           // they can reach each other, unless $SOFTCUDA_PEERS is 0

} // namespace softcuda
