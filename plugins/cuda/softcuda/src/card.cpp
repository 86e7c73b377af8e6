#include "card.h"

#include <map>

#include "processes.h"
#include "settings.h"

namespace softcuda {

int cards() { return number("SOFTCUDA_CARDS", 1); }
bool peers() { return number("SOFTCUDA_PEERS", 1) != 0; }

Card *card(int ordinal) {
	static std::mutex guard;
	static std::map<int, Card> &known = *new std::map<int, Card>;
	if (ordinal < 0 || ordinal >= cards())
		return nullptr;
	std::lock_guard<std::mutex> hold(guard);
	Card &c = known[ordinal];
	c.ordinal = ordinal;
	if (!c.retained) // a card changes its size only while nobody uses it
		c.total = number("SOFTCUDA_MEMORY", 1 << 30);
	return &c;
}

// take counts bytes as used, unless there are not so many.
bool Card::take(uint64_t bytes) {
	std::lock_guard<std::mutex> hold(guard);
	Processes processes(ordinal);
	if (bytes > total || used + processes.others() > total - bytes)
		return false;
	used += bytes;
	processes.use(used);
	return true;
}

void Card::give(uint64_t bytes) {
	std::lock_guard<std::mutex> hold(guard);
	Processes processes(ordinal);
	used -= bytes;
	processes.use(used);
}

uint64_t Card::free() {
	std::lock_guard<std::mutex> hold(guard);
	Processes processes(ordinal);
	uint64_t all = used + processes.others();
	return all < total ? total - all : 0;
}

} // namespace softcuda
