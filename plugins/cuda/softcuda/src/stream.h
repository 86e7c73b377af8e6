// A stream is a queue, and a thread that does what is in it, one after another.
#pragma once

#include <cuda.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>

struct CUstream_st : std::enable_shared_from_this<CUstream_st> {
	CUstream_st(CUcontext, unsigned flags, int priority);

	typedef std::function<CUresult()> Work; // an error of it is the end of the context
	typedef std::function<void()> Mark;     // is reached, even if the context is lost, together with the end of what came before
	void submit(Work, bool always = false); // always: even if the context is lost
	void submit_mark(Mark);
	uint64_t submitted();
	// wait until so many are done; false: it took too long.
	bool wait(uint64_t number, std::chrono::microseconds longest = FOR_EVER);
	bool done(uint64_t number);
	void close(); // no more will come
	void run();   // on its thread, until it is closed and empty

	static constexpr std::chrono::microseconds FOR_EVER{0};

	std::atomic<int> frees{0}; // of memory, that are yet to be done
	CUcontext const context;
	unsigned const flags;
	int const priority;

private:
	struct Item {
		Work work;
		bool always;
		Mark mark;
	};
	void add(Item);
	bool next(Item *);
	void finished(const Item &);

	std::mutex guard;
	std::condition_variable came, passed; // an item, or the end; some number
	std::deque<Item> queue;
	uint64_t begun = 0, ended = 0, all = 0;
	bool closed = false;
	uint64_t delay; // the longest, in microseconds
	std::minstd_rand random;
};

namespace softcuda {

// A query that has nothing to tell lets the streams go on first: who asks again and again leaves them little of
// a machine with few cores.
const std::chrono::microseconds PATIENCE{200};

typedef std::shared_ptr<CUstream_st> Stream;

Stream open_stream(CUcontext, unsigned flags, int priority);
void close_stream(const Stream &);
CUresult synchronize(const Stream &);

// stream finds the one of a handle, on the current context if it is 0.
CUresult stream(CUstream, Stream *);

// enqueue puts work at the end of a stream; the default stream waits for all that are blocking, and these for it.
void enqueue(const Stream &, CUstream_st::Work, bool always = false);
void enqueue_mark(const Stream &, CUstream_st::Mark);

} // namespace softcuda
