#include "fault.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>

#include "settings.h"

namespace softcuda {

namespace {

struct Faults {
	uint64_t oom = 0, sticky = 0, hang = 0; // which one; 0: none
	bool ever = false;                      // oom, from there on
	bool refused = false, nodevice = false;
	int init = 0;

	Faults() {}
	explicit Faults(const std::string &text) {
		std::istringstream list(text);
		for (std::string fault; std::getline(list, fault, ',');)
			add(fault);
	}

	void add(const std::string &fault) {
		size_t at = fault.find_first_of("@=");
		std::string name = fault.substr(0, at);
		uint64_t n = at == std::string::npos ? 0 : strtoull(fault.c_str() + at + 1, nullptr, 10);
		if (name == "oom")
			oom = n, ever = fault.back() == '+';
		else if (name == "sticky")
			sticky = n;
		else if (name == "hang")
			hang = n;
		else if (name == "register")
			refused = true;
		else if (name == "nodevice")
			nodevice = true;
		else if (name == "init")
			init = n;
		else {
			dprintf(2, "softcuda: SOFTCUDA_FAULT=%s is not known\n", fault.c_str());
			abort();
		}
	}
};

std::mutex guard;
std::string seen;
Faults faults;
uint64_t allocations, launches;

// look reads the variable; the guard is held.
const Faults &look() {
	const char *now = getenv("SOFTCUDA_FAULT");
	if (seen != (now ? now : "")) {
		seen = now ? now : "";
		faults = Faults(seen);
		allocations = launches = 0;
	}
	return faults;
}

} // namespace

bool next_allocation_fails() {
	std::lock_guard<std::mutex> hold(guard);
	const Faults &f = look();
	allocations++;
	return f.oom && (allocations == f.oom || (f.ever && allocations > f.oom));
}

Course next_launch() {
	std::lock_guard<std::mutex> hold(guard);
	const Faults &f = look();
	launches++;
	return launches == f.sticky ? Course::sticky : launches == f.hang ? Course::hang : Course::normal;
}

bool registration_fails() {
	std::lock_guard<std::mutex> hold(guard);
	return look().refused;
}

CUresult initialisation() {
	std::lock_guard<std::mutex> hold(guard);
	const Faults &f = look();
	return f.nodevice ? CUDA_ERROR_NO_DEVICE : (CUresult)f.init;
}

} // namespace softcuda
