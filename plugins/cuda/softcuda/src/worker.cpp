#include "worker.h"

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>

#include "signals.h"

namespace softcuda {

namespace {

struct Office {
	std::mutex guard;
	std::condition_variable changed;
	std::deque<std::function<void()>> jobs;
	size_t idle = 0;
};

Office &office = *new Office; // for ever: workers outlive main
thread_local Multiprocessor *own;

std::function<void()> take() {
	std::unique_lock<std::mutex> hold(office.guard);
	office.idle++;
	office.changed.wait(hold, [] { return !office.jobs.empty(); });
	office.idle--;
	std::function<void()> job = std::move(office.jobs.front());
	office.jobs.pop_front();
	return job;
}

void work() {
	take_signals();
	Multiprocessor m;
	own = &m;
	for (;;)
		take()();
}

} // namespace

void employ(std::function<void()> job) {
	std::lock_guard<std::mutex> hold(office.guard);
	office.jobs.push_back(std::move(job));
	if (office.jobs.size() > office.idle)
		std::thread(work).detach();
	office.changed.notify_one();
}

Multiprocessor &multiprocessor() { return *own; }

} // namespace softcuda
