#include "signals.h"

#include <signal.h>
#include <sys/mman.h>

#include <initializer_list>

#include "multiprocessor.h"

namespace softcuda {

namespace {

const int caught[] = {SIGSEGV, SIGBUS, SIGFPE};
struct sigaction before[65];

void pass_on(int signal, siginfo_t *info, void *context) {
	const struct sigaction &old = before[signal];
	if (old.sa_flags & SA_SIGINFO)
		old.sa_sigaction(signal, info, context);
	else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
		old.sa_handler(signal);
	else
		sigaction(signal, &old, nullptr); // and when it happens again, that is the end
}

void handle(int signal, siginfo_t *info, void *context) {
	Multiprocessor *m = Multiprocessor::here();
	if (!m)
		pass_on(signal, info, context);
	else if (signal == SIGFPE)
		m->fail(CUDA_ERROR_LAUNCH_FAILED, "divides an integer by 0");
	else
		m->fail(CUDA_ERROR_ILLEGAL_ADDRESS, "touches %p, which is no memory of it", info->si_addr);
}

} // namespace

void catch_signals() {
	struct sigaction action = {};
	action.sa_sigaction = handle;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	for (int signal : caught)
		sigaction(signal, &action, &before[signal]);
}

void take_signals() {
	sigset_t others;
	sigfillset(&others);
	for (int signal : caught)
		sigdelset(&others, signal);
	pthread_sigmask(SIG_SETMASK, &others, nullptr);

	const size_t size = 64 << 10; // a fiber that has left its stack has no room to be told of it
	stack_t stack = {};
	stack.ss_sp = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack.ss_size = size;
	sigaltstack(&stack, nullptr);
}

} // namespace softcuda
