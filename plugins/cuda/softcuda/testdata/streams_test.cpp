// Streams and events: what comes after what, and what need not.
#include "check.h"

// a_slow_stream waits up to 30 ms before each thing it does.
static CUstream a_slow_stream() {
	setenv("SOFTCUDA_DELAY", "30000", 1);
	CUstream s = stream();
	unsetenv("SOFTCUDA_DELAY");
	return s;
}

static u64 first(CUdeviceptr at) {
	u64 value;
	CUstream s = stream();
	OK(cuMemcpyDtoHAsync(&value, at, 8, s));
	return value;
}

TEST(a_stream_is_in_order) {
	begin();
	CUstream s = a_slow_stream();
	CUdeviceptr p = memory(8), q = memory(8);
	for (unsigned i = 1; i <= 5; i++) {
		OK(cuMemsetD32Async(p, i, 2, s));
		OK(cuMemcpyDtoDAsync(q, p, 8, s));
	}
	OK(cuStreamSynchronize(s));
	CHECK(first(q) == 0x500000005);
}

// Without an event one stream sees what another has not done yet: that is what the double is for.
TEST(streams_race) {
	begin();
	CUdeviceptr p = memory(8);
	OK(cuMemsetD32(p, 1, 2));
	CUstream slow = a_slow_stream();
	int seen_before = 0;
	for (int i = 0; i < 20 && !seen_before; i++) {
		OK(cuMemsetD32(p, 1, 2));
		OK(cuMemsetD32Async(p, 2, 2, slow));
		seen_before += first(p) == 0x100000001;
		OK(cuStreamSynchronize(slow));
	}
	CHECK(seen_before);
}

TEST(an_event_is_waited_for) {
	begin();
	CUdeviceptr p = memory(8), q = memory(8);
	CUstream slow = a_slow_stream(), s = stream();
	CUevent e;
	OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
	OK(cuStreamWaitEvent(s, e, 0)); // never recorded: nothing to wait for
	OK(cuEventQuery(e));
	for (unsigned i = 1; i <= 10; i++) {
		OK(cuMemsetD32Async(p, i, 2, slow));
		OK(cuEventRecord(e, slow));
		OK(cuStreamWaitEvent(s, e, 0));
		OK(cuMemcpyDtoDAsync(q, p, 8, s));
		OK(cuStreamSynchronize(s));
		CHECK(first(q) == (i | (u64)i << 32));
	}
	OK(cuEventDestroy(e));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(e, s));
}

// Who waits for an event waits for what was recorded then, though it is recorded again.
TEST(an_event_is_recorded_again) {
	begin();
	CUstream slow = a_slow_stream(), s = stream();
	CUevent e;
	OK(cuEventCreate(&e, 0));
	OK(cuEventRecord(e, s));
	OK(cuEventSynchronize(e));
	OK(cuStreamWaitEvent(s, e, 0));
	CUdeviceptr p = memory(8);
	for (int i = 0; i < 5; i++)
		OK(cuMemsetD32Async(p, i, 2, slow));
	OK(cuEventRecord(e, slow));
	GIVES(CUDA_ERROR_NOT_READY, cuEventQuery(e));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(slow));
	OK(cuStreamSynchronize(s));
	GIVES(CUDA_ERROR_NOT_READY, cuEventQuery(e));
	OK(cuEventSynchronize(e));
	OK(cuEventQuery(e));
	OK(cuStreamQuery(slow));
}

TEST(events_tell_the_time) {
	begin();
	CUstream s = a_slow_stream();
	CUevent from, to, untimed;
	OK(cuEventCreate(&from, 0));
	OK(cuEventCreate(&to, 0));
	OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
	float ms;
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, from, to)); // not recorded
	for (CUevent e : {from, to, untimed})
		OK(cuEventRecord(e, s));
	OK(cuStreamSynchronize(s));
	OK(cuEventElapsedTime(&ms, from, to));
	CHECK(ms >= 0 && ms < 60000);
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, from, untimed));
}

// The default stream waits for those that are blocking, and they for it; not so for those that are not.
TEST(the_default_stream) {
	begin();
	setenv("SOFTCUDA_DELAY", "30000", 1);
	CUstream blocking;
	OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
	unsetenv("SOFTCUDA_DELAY");
	CUdeviceptr p = memory(8), q = memory(8);
	OK(cuMemsetD32(p, 1, 2));
	for (unsigned i = 2; i < 8; i++) {
		OK(cuMemsetD32Async(p, i, 2, blocking));
		OK(cuMemcpyDtoDAsync(q, p, 8, nullptr));
		OK(cuStreamSynchronize(nullptr));
		CHECK(first(q) == (i | (u64)i << 32));
	}
}

// What is not pinned has been read when the call returns; what is pinned need not be.
TEST(unpinned_copies) {
	begin();
	CUstream slow = a_slow_stream();
	CUdeviceptr p = memory(8);
	u64 value = 1;
	OK(cuMemcpyHtoDAsync(p, &value, 8, slow));
	value = 2;
	u64 out = 0;
	OK(cuMemcpyDtoHAsync(&out, p, 8, slow)); // returns when it is done
	CHECK(out == 1);
	u64 *pinned;
	OK(cuMemAllocHost((void **)&pinned, 8));
	*pinned = 3;
	OK(cuMemcpyHtoDAsync(p, pinned, 8, slow));
	OK(cuMemcpyDtoHAsync(pinned, p, 8, slow));
	OK(cuStreamSynchronize(slow));
	CHECK(*pinned == 3);
}

// What is in a stream that is destroyed is still done.
TEST(a_stream_is_destroyed) {
	begin();
	CUstream s = a_slow_stream();
	CUdeviceptr p = memory(8);
	OK(cuMemsetD32Async(p, 9, 2, s));
	CUevent e;
	OK(cuEventCreate(&e, 0));
	OK(cuEventRecord(e, s));
	OK(cuStreamDestroy(s));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(s));
	OK(cuEventSynchronize(e));
	CHECK(first(p) == 0x900000009);
}

// Threads and fibers are made once, however many streams there are one after another: of 2000 some begin before the
// thread of the last is free again.
TEST(many_streams) {
	begin();
	CUdeviceptr out = memory(256 * 8);
	for (int i = 0; i < 2000; i++) {
		CUstream s = stream();
		OK(launch(s, function("test_barriers"), 1, 256, {out, 1}));
		OK(cuStreamSynchronize(s));
		OK(cuStreamDestroy(s));
	}
	CHECK(values<u64>(out, 256)[255] == 1);
	std::ifstream status("/proc/self/status");
	for (std::string line; std::getline(status, line);)
		if (line.compare(0, 8, "Threads:") == 0)
			CHECK(atoi(line.c_str() + 8) < 100);
}
