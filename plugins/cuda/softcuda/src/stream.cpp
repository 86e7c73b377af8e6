#include "stream.h"

#include <unistd.h>

#include "context.h"
#include "handles.h"
#include "settings.h"
#include "worker.h"

using namespace softcuda;

static Handles<CUstream_st> &streams = *new Handles<CUstream_st>;

CUstream_st::CUstream_st(CUcontext c, unsigned flags, int priority)
	: context(c), flags(flags), priority(priority), delay(number("SOFTCUDA_DELAY", 0)), random(number("SOFTCUDA_SEED", 1) + (uint64_t)this) {}

void CUstream_st::submit(Work work, bool always) { add({std::move(work), always, nullptr}); }
void CUstream_st::submit_mark(Mark mark) { add({nullptr, true, std::move(mark)}); }

void CUstream_st::add(Item item) {
	std::lock_guard<std::mutex> hold(guard);
	queue.push_back(std::move(item));
	all++;
	if (begun == ended) // else its thread looks for itself
		came.notify_one();
}

uint64_t CUstream_st::submitted() {
	std::lock_guard<std::mutex> hold(guard);
	return all;
}

bool CUstream_st::done(uint64_t number) {
	std::lock_guard<std::mutex> hold(guard);
	return ended >= number;
}

bool CUstream_st::wait(uint64_t number, std::chrono::microseconds longest) {
	std::unique_lock<std::mutex> hold(guard);
	auto there = [&] { return ended >= number; };
	if (longest == FOR_EVER)
		return passed.wait(hold, there), true;
	return passed.wait_for(hold, longest, there);
}

void CUstream_st::close() {
	std::lock_guard<std::mutex> hold(guard);
	closed = true;
	came.notify_one();
}

// next takes the next item, when there is one; false: the stream is closed.
bool CUstream_st::next(Item *item) {
	std::unique_lock<std::mutex> hold(guard);
	came.wait(hold, [&] { return closed || !queue.empty(); });
	if (queue.empty())
		return false;
	*item = std::move(queue.front());
	queue.pop_front();
	begun++;
	return true;
}

// finished counts an item. Whoever sees that a mark is reached finds the stream past it, and the other way round.
void CUstream_st::finished(const Item &item) {
	std::lock_guard<std::mutex> hold(guard);
	ended++;
	if (item.mark)
		item.mark();
	passed.notify_all();
}

void CUstream_st::run() {
	for (Item item; next(&item); finished(item)) {
		if (delay)
			usleep(random() % delay);
		if (!item.work || (context->lost && !item.always))
			continue;
		if (CUresult r = item.work())
			context->lose(r);
		item.work = nullptr;
	}
}

namespace softcuda {

Stream open_stream(CUcontext c, unsigned flags, int priority) {
	Stream s = std::make_shared<CUstream_st>(c, flags, priority);
	streams.add(s);
	employ([s] { s->run(); });
	return s;
}

void close_stream(const Stream &s) {
	streams.remove(s.get());
	s->close();
}

CUresult stream(CUstream handle, Stream *s) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	*s = handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD ? c->standard : streams.get(handle);
	if (!*s)
		return CUDA_ERROR_INVALID_HANDLE;
	return (CUresult)(*s)->context->lost.load();
}

static void follow(const Stream &s, const Stream &other) {
	uint64_t n = other->submitted();
	if (!other->done(n))
		s->submit([=] { return other->wait(n), CUDA_SUCCESS; }, true);
}

// follow_others has the stream wait as the default stream does, or for it; the context's guard is held.
static void follow_others(const Stream &s) {
	CUcontext c = s->context;
	if (s == c->standard) {
		for (const Stream &other : c->streams)
			if (other != s && !(other->flags & CU_STREAM_NON_BLOCKING))
				follow(s, other);
	} else if (!(s->flags & CU_STREAM_NON_BLOCKING)) {
		follow(s, c->standard);
	}
}

void enqueue(const Stream &s, CUstream_st::Work work, bool always) {
	std::lock_guard<std::mutex> hold(s->context->guard);
	follow_others(s);
	s->submit(std::move(work), always);
}

void enqueue_mark(const Stream &s, CUstream_st::Mark mark) {
	std::lock_guard<std::mutex> hold(s->context->guard);
	follow_others(s);
	s->submit_mark(std::move(mark));
}

// synchronize waits for all that is in the stream.
CUresult synchronize(const Stream &s) {
	s->wait(s->submitted());
	return (CUresult)s->context->lost.load();
}

} // namespace softcuda

CUresult cuStreamCreateWithPriority(CUstream *to, unsigned flags, int priority) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	Stream s = open_stream(c, flags, priority);
	std::lock_guard<std::mutex> hold(c->guard);
	c->streams.insert(s);
	*to = s.get();
	return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *to, unsigned flags) { return cuStreamCreateWithPriority(to, flags, 0); }

// cuStreamDestroy returns at once; what is in the stream is still done.
CUresult cuStreamDestroy(CUstream handle) {
	Stream s = streams.get(handle);
	if (!s || s == s->context->standard)
		return CUDA_ERROR_INVALID_HANDLE;
	{
		std::lock_guard<std::mutex> hold(s->context->guard);
		s->context->streams.erase(s);
	}
	close_stream(s);
	return (CUresult)s->context->lost.load();
}

CUresult cuStreamSynchronize(CUstream handle) {
	Stream s;
	if (CUresult r = stream(handle, &s))
		return r;
	return synchronize(s);
}

CUresult cuStreamQuery(CUstream handle) {
	Stream s;
	if (CUresult r = stream(handle, &s))
		return r;
	return s->wait(s->submitted(), PATIENCE) ? (CUresult)s->context->lost.load() : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamGetFlags(CUstream handle, unsigned *flags) {
	Stream s;
	if (CUresult r = stream(handle, &s))
		return r;
	*flags = s->flags;
	return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream handle, int *priority) {
	Stream s;
	if (CUresult r = stream(handle, &s))
		return r;
	*priority = s->priority;
	return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext *c) {
	Stream s;
	if (CUresult r = stream(handle, &s))
		return r;
	*c = s->context;
	return CUDA_SUCCESS;
}
