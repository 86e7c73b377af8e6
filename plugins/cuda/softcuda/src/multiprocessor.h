// A multiprocessor runs the blocks of a grid one after another on one thread of the machine.
//
//	run ──▶ block ──▶ fiber: thread 0, thread 1, … each a call of the kernel, while none waits
//	                    │ a thread waits (barrier, meet)
//	                    └─▶ another fiber: goes on with the next thread that has not begun, else with
//	                        one that no longer waits, until all have returned
//
// So a kernel in which nobody waits costs a call a thread, on one fiber. The order of threads is not that of
// hardware, but what it computes must not depend on it. What would hang there (threads that wait for ever) or
// is not defined (a lane that is waited for has returned) is an error here.
#pragma once

#include <cuda.h>

#include <memory>
#include <vector>

#include "grid.h"

namespace softcuda {

const unsigned MAX_THREADS = 1024; // of a block
const unsigned MAX_PARAMETERS = 24;

// A Place is where a fiber goes on, for the compiler's own setjmp, which keeps nothing that a kernel does not need.
typedef void *Place[5];

// A launch of a kernel over a grid.
struct Launch {
	std::shared_ptr<const CUmod_st> module; // whose lowered functions the kernel calls
	const char *name;
	void *kernel;
	unsigned parameters;
	uint64_t parameter[MAX_PARAMETERS];
	uint3 grid, block;
};

class Multiprocessor {
public:
	Multiprocessor();
	~Multiprocessor();
	Multiprocessor(const Multiprocessor &) = delete;

	CUresult run(const Launch &);

	// For what runs on it:
	static Multiprocessor *here(); // the one of this thread, while it runs a grid, or null
	uint64_t meet(unsigned mask, Meeting, uint64_t value, unsigned lane);
	unsigned barrier(bool vote);
	[[noreturn]] void fail(CUresult, const char *format, ...) __attribute__((format(printf, 3, 4)));
	const CUmod_st &module() const { return *launch->module; }

private:
	struct Fiber;
	struct Warp {
		Fiber *waiting[32];
		unsigned present;  // the lanes that wait
		unsigned returned; // those that have ended
	};

	// What a block goes through.
	void block();
	void threads();
	uint3 step();
	void call();
	void returned();
	void rest();
	void wait();
	void release();
	Warp &warp();
	bool all_met(const Warp &, unsigned mask, Meeting) const;
	void complete(Warp &, unsigned mask);
	static uint64_t shuffled(const Warp &, unsigned mask, unsigned lane);
	static unsigned matching(const Warp &, unsigned mask, uint64_t value);
	[[noreturn]] void stuck();

	// Fibers.
	Fiber *idler();
	Fiber *readied();
	void to(Fiber *);
	[[noreturn]] void go(Fiber *);
	void bear(Fiber *);
	void discard();
	static void live();

	const Launch *launch = nullptr;
	CUresult result = CUDA_SUCCESS;
	unsigned size = 0;                     // of a block, in threads
	unsigned begun = 0, ended = 0;         // of them
	uint3 next_index;                      // threadIdx of the next to begin
	unsigned at_barrier = 0, votes = 0;    // of those who have come
	unsigned voted = 0;                    // at the barrier before
	Warp warps[MAX_THREADS / 32] = {};

	Fiber *current = nullptr;
	std::vector<Fiber *> all, idle, ready, waiting;
	size_t next_ready = 0;
	Place home;
};

} // namespace softcuda
