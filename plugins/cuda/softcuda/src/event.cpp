// Events: what a stream has come to, for others to wait for.
#include <chrono>
#include <condition_variable>

#include "context.h"
#include "handles.h"
#include "stream.h"

using namespace softcuda;

namespace {

// A Record is one recording of an event: another does not change who waits for this.
struct Record {
	std::mutex guard;
	std::condition_variable changed;
	bool reached = false;
	std::chrono::steady_clock::time_point at;

	void reach() {
		std::lock_guard<std::mutex> hold(guard);
		reached = true;
		at = std::chrono::steady_clock::now();
		changed.notify_all();
	}
	void wait() {
		std::unique_lock<std::mutex> hold(guard);
		changed.wait(hold, [&] { return reached; });
	}
	bool is_reached(std::chrono::microseconds longest = std::chrono::microseconds(0)) {
		std::unique_lock<std::mutex> hold(guard);
		return changed.wait_for(hold, longest, [&] { return reached; });
	}
};

} // namespace

struct CUevent_st {
	CUcontext context;
	unsigned flags;
	std::mutex guard;
	std::shared_ptr<Record> last; // null: never recorded

	CUevent_st(CUcontext c, unsigned flags) : context(c), flags(flags) {}
	std::shared_ptr<Record> record() {
		std::lock_guard<std::mutex> hold(guard);
		return last;
	}
};

static Handles<CUevent_st> &events = *new Handles<CUevent_st>;

CUresult cuEventCreate(CUevent *to, unsigned flags) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	*to = events.add(std::make_shared<CUevent_st>(c, flags));
	return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent handle) {
	auto e = events.remove(handle);
	return e ? (CUresult)e->context->lost.load() : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventRecord(CUevent handle, CUstream in) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	auto e = events.get(handle);
	if (!e || e->context != s->context)
		return CUDA_ERROR_INVALID_HANDLE;
	auto record = std::make_shared<Record>();
	{
		std::lock_guard<std::mutex> hold(e->guard);
		e->last = record;
	}
	enqueue_mark(s, [record] { record->reach(); });
	return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream in, CUevent handle, unsigned) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	auto e = events.get(handle);
	if (!e)
		return CUDA_ERROR_INVALID_HANDLE;
	if (auto record = e->record())
		enqueue(s, [record] { return record->wait(), CUDA_SUCCESS; }, true);
	return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent handle) {
	auto e = events.get(handle);
	if (!e)
		return CUDA_ERROR_INVALID_HANDLE;
	auto record = e->record();
	if (record && !record->is_reached(PATIENCE))
		return CUDA_ERROR_NOT_READY;
	return (CUresult)e->context->lost.load();
}

CUresult cuEventSynchronize(CUevent handle) {
	auto e = events.get(handle);
	if (!e)
		return CUDA_ERROR_INVALID_HANDLE;
	if (auto record = e->record())
		record->wait();
	return (CUresult)e->context->lost.load();
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
	auto a = events.get(from), b = events.get(to);
	if (!a || !b || (a->flags | b->flags) & CU_EVENT_DISABLE_TIMING || !a->record() || !b->record())
		return CUDA_ERROR_INVALID_HANDLE;
	auto first = a->record(), second = b->record();
	if (!first->is_reached() || !second->is_reached())
		return CUDA_ERROR_NOT_READY;
	*milliseconds = std::chrono::duration<float, std::milli>(second->at - first->at).count();
	return (CUresult)a->context->lost.load();
}
