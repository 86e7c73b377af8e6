#include "multiprocessor.h"

#include <cstdarg>
#include <cstdio>

#include "fiber.h"

__thread uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace softcuda {

static thread_local Multiprocessor *running;

Multiprocessor *Multiprocessor::here() { return running; }

uint64_t meet(unsigned mask, Meeting meeting, uint64_t value, unsigned lane) { return running->meet(mask, meeting, value, lane); }
unsigned barrier(bool vote) { return running->barrier(vote); }
void trap() { running->fail(CUDA_ERROR_LAUNCH_FAILED, "trapped"); }

CUresult Multiprocessor::run(const Launch &l) {
	launch = &l;
	result = CUDA_SUCCESS;
	size = l.block.x * l.block.y * l.block.z;
	gridDim = l.grid;
	blockDim = l.block;
	running = this;
	for (blockIdx.z = 0; blockIdx.z < l.grid.z && !result; blockIdx.z++)
		for (blockIdx.y = 0; blockIdx.y < l.grid.y && !result; blockIdx.y++)
			for (blockIdx.x = 0; blockIdx.x < l.grid.x && !result; blockIdx.x++)
				block();
	running = nullptr;
	return result;
}

// block runs one. It comes home when all of its threads have returned, or when one has failed.
void Multiprocessor::block() {
	begun = ended = at_barrier = votes = 0;
	next_index = {0, 0, 0};
	for (unsigned w = 0; w < (size + 31) / 32; w++)
		warps[w] = Warp();
	if (!__builtin_setjmp(home))
		go(idler());
	if (result)
		discard();
}

// threads is what a fiber does, block by block: it runs threads that have not begun.
void Multiprocessor::threads() {
	for (;;) {
		while (begun < size) {
			current->thread = begun++;
			threadIdx = current->index = step();
			call();
			returned();
		}
		rest();
	}
}

// step is the index of the next thread.
uint3 Multiprocessor::step() {
	uint3 index = next_index;
	if (++next_index.x == launch->block.x) {
		next_index.x = 0;
		if (++next_index.y == launch->block.y)
			next_index.y = 0, next_index.z++;
	}
	return index;
}

// call calls the kernel, which may be given more than it takes: it looks at what it takes.
void Multiprocessor::call() {
	typedef uint64_t u;
	const u *p = launch->parameter;
	if (launch->parameters <= 6)
		((void (*)(u, u, u, u, u, u))launch->kernel)(p[0], p[1], p[2], p[3], p[4], p[5]);
	else
		((void (*)(u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u))launch->kernel)(
			p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16],
			p[17], p[18], p[19], p[20], p[21], p[22], p[23]);
}

// returned looks at who waits for the current thread, which has ended.
void Multiprocessor::returned() {
	ended++;
	unsigned lane = current->thread % 32;
	Warp &w = warp();
	w.returned |= 1u << lane;
	for (unsigned rest = w.present; rest; rest &= rest - 1)
		if (const Fiber *f = w.waiting[__builtin_ctz(rest)]; f->mask >> lane & 1)
			fail(CUDA_ERROR_LAUNCH_FAILED, "has returned, and thread %u waits for it at a warp operation", f->thread);
	if (at_barrier && at_barrier == size - ended)
		release();
}

// rest leaves the current fiber, which has no thread to run, until it is to run some of another block.
void Multiprocessor::rest() {
	Fiber *next = readied();
	if (!next && ended < size)
		stuck();
	current->resting = true;
	idle.push_back(current);
	to(next);
}

// wait leaves the current thread until it is made ready.
void Multiprocessor::wait() {
	Fiber *next = begun < size ? idler() : readied();
	if (!next)
		stuck();
	to(next);
}

unsigned Multiprocessor::barrier(bool vote) {
	votes += vote;
	if (++at_barrier == size - ended) {
		release();
	} else {
		waiting.push_back(current);
		wait();
	}
	return voted; // no other barrier can be passed before all have come back from this one
}

// release makes all ready who wait at the barrier.
void Multiprocessor::release() {
	voted = votes;
	at_barrier = votes = 0;
	ready.insert(ready.end(), waiting.begin(), waiting.end());
	waiting.clear();
}

Multiprocessor::Warp &Multiprocessor::warp() { return warps[current->thread / 32]; }

uint64_t Multiprocessor::meet(unsigned mask, Meeting meeting, uint64_t value, unsigned lane) {
	Fiber *me = current;
	Warp &w = warp();
	unsigned own = me->thread % 32, first = me->thread - own;
	unsigned lanes = size - first < 32 ? (1u << (size - first)) - 1 : ~0u;
	if (!(mask >> own & 1))
		fail(CUDA_ERROR_LAUNCH_FAILED, "is at a warp operation whose mask %08x is without it", mask);
	if (mask & (w.returned | ~lanes))
		fail(CUDA_ERROR_LAUNCH_FAILED, "waits at a warp operation for lanes %08x, which have returned", mask & (w.returned | ~lanes));
	me->mask = mask;
	me->meeting = meeting;
	me->value = value;
	me->lane = lane;
	w.waiting[own] = me;
	w.present |= 1u << own;
	if (all_met(w, mask, meeting))
		complete(w, mask);
	else
		wait();
	return me->result;
}

// all_met says whether each of the lanes is there, for the same.
bool Multiprocessor::all_met(const Warp &w, unsigned mask, Meeting meeting) const {
	if (mask & ~w.present)
		return false;
	for (unsigned rest = mask; rest; rest &= rest - 1) {
		const Fiber *f = w.waiting[__builtin_ctz(rest)];
		if (f->mask != mask || f->meeting != meeting)
			return false;
	}
	return true;
}

// complete gives each lane its result, and makes all ready but the current one, which came last.
void Multiprocessor::complete(Warp &w, unsigned mask) {
	for (unsigned rest = mask; rest; rest &= rest - 1) {
		Fiber *f = w.waiting[__builtin_ctz(rest)];
		f->result = f->meeting == SHUFFLE ? shuffled(w, mask, f->lane) : matching(w, mask, f->meeting == BALLOT ? 1 : f->value);
		if (f != current)
			ready.push_back(f);
	}
	w.present &= ~mask;
}

// shuffled is the value of a lane; of one that has not come it is anything.
uint64_t Multiprocessor::shuffled(const Warp &w, unsigned mask, unsigned lane) {
	return mask >> lane & 1 ? w.waiting[lane]->value : 0xbadc0deddeadbeef;
}

// matching are the lanes that have brought a value.
unsigned Multiprocessor::matching(const Warp &w, unsigned mask, uint64_t value) {
	unsigned lanes = 0;
	for (unsigned rest = mask; rest; rest &= rest - 1) {
		unsigned lane = __builtin_ctz(rest);
		lanes |= (unsigned)(w.waiting[lane]->value == value) << lane;
	}
	return lanes;
}

// fail ends the grid, from within one of its threads.
void Multiprocessor::fail(CUresult why, const char *format, ...) {
	char said[300];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(said, sizeof said, format, arguments);
	va_end(arguments);
	dprintf(2, "softcuda: kernel %s: thread %u of block %u,%u,%u %s (error %d)\n", launch->name, current->thread, blockIdx.x, blockIdx.y, blockIdx.z, said, why);
	result = why;
	__builtin_longjmp(home, 1);
}

// stuck fails: nobody is left who could go on.
void Multiprocessor::stuck() {
	for (unsigned w = 0; w < (size + 31) / 32; w++)
		if (warps[w].present) {
			const Fiber *f = warps[w].waiting[__builtin_ctz(warps[w].present)];
			fail(CUDA_ERROR_LAUNCH_FAILED, "was the last to go on; thread %u waits for ever at a warp operation of lanes %08x, %u threads at the barrier",
				f->thread, f->mask, at_barrier);
		}
	fail(CUDA_ERROR_LAUNCH_FAILED, "was the last to go on; %u threads wait for ever at the barrier", at_barrier);
}

} // namespace softcuda
