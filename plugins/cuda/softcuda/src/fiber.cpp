#include "fiber.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <new>

namespace softcuda {

const size_t STACK = 128 << 10, GUARD = 4 << 10;

// Stacks begin at different places of their pages: else those of a block would all want the same lines of the caches.
const size_t COLOURS = 64, COLOUR = 9 * 64;

Multiprocessor::Fiber::Fiber() {
	stack = (char *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED || mprotect(stack, GUARD, PROT_NONE))
		throw std::bad_alloc();
}

Multiprocessor::Fiber::~Fiber() { munmap(stack, STACK); }

Multiprocessor::Multiprocessor() {}

Multiprocessor::~Multiprocessor() {
	for (Fiber *f : all)
		delete f;
}

// idler is a fiber that runs no thread.
Multiprocessor::Fiber *Multiprocessor::idler() {
	if (idle.empty()) {
		all.push_back(new Fiber);
		bear(all.back());
		return all.back();
	}
	Fiber *f = idle.back();
	idle.pop_back();
	f->resting = false;
	return f;
}

// readied is the fiber that has been ready longest, or null.
Multiprocessor::Fiber *Multiprocessor::readied() {
	if (next_ready < ready.size())
		return ready[next_ready++];
	ready.clear();
	next_ready = 0;
	return nullptr;
}

// to leaves the current fiber for another, or for home, and returns when somebody goes to it.
void Multiprocessor::to(Fiber *next) {
	if (__builtin_setjmp(current->at))
		return;
	if (next)
		go(next);
	__builtin_longjmp(home, 1);
}

void Multiprocessor::go(Fiber *f) {
	current = f;
	threadIdx = f->index;
	__builtin_longjmp(f->at, 1);
}

static thread_local struct {
	ucontext_t mother, child;
	Place *at;
} birth;

// bear has a fiber begin its life: it is where it would be after leaving.
void Multiprocessor::bear(Fiber *f) {
	f->resting = false;
	birth.at = &f->at;
	getcontext(&birth.child);
	birth.child.uc_stack.ss_sp = f->stack;
	birth.child.uc_stack.ss_size = STACK - all.size() % COLOURS * COLOUR;
	birth.child.uc_link = nullptr;
	makecontext(&birth.child, live, 0);
	swapcontext(&birth.mother, &birth.child);
}

void Multiprocessor::live() {
	if (!__builtin_setjmp(*birth.at))
		setcontext(&birth.mother);
	here()->threads();
}

// discard forgets what a grid has left that was not run to its end.
void Multiprocessor::discard() {
	std::vector<Fiber *> kept;
	for (Fiber *f : all)
		if (f->resting)
			kept.push_back(f);
		else
			delete f;
	all = idle = kept;
	ready.clear();
	waiting.clear();
	next_ready = 0;
}

} // namespace softcuda
