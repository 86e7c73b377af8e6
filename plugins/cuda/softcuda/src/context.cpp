#include "context.h"

#include <vector>

#include "device.h"
#include "memory.h"
#include "stream.h"

using namespace softcuda;

static thread_local std::vector<CUcontext> stack; // of this thread; the last is current

CUctx_st::CUctx_st(Card *card) : card(card) {
	standard = open_stream(this, CU_STREAM_DEFAULT, 0);
	streams.insert(standard);
}

void CUctx_st::lose(CUresult why) {
	int none = CUDA_SUCCESS;
	lost.compare_exchange_strong(none, why);
}

// end waits for what is being done, but not for ever: what hangs keeps its memory.
void CUctx_st::end() {
	std::vector<Stream> left;
	{
		std::lock_guard<std::mutex> hold(guard);
		left.assign(streams.begin(), streams.end());
		streams.clear();
	}
	bool idle = true;
	for (const Stream &s : left) {
		s->close();
		idle &= s->wait(s->submitted(), std::chrono::seconds(1));
		close_stream(s);
	}
	lose(CUDA_ERROR_CONTEXT_IS_DESTROYED);
	ended = true;
	if (idle)
		release_all(this);
}

namespace softcuda {

CUresult current(CUcontext *c) {
	if (!initialised())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (stack.empty() || !stack.back())
		return CUDA_ERROR_INVALID_CONTEXT;
	*c = stack.back();
	return (*c)->ended ? CUDA_ERROR_CONTEXT_IS_DESTROYED : (CUresult)(*c)->lost.load();
}

} // namespace softcuda

static CUresult known(CUdevice device, Card **c) {
	if (!initialised())
		return CUDA_ERROR_NOT_INITIALIZED;
	*c = card(device);
	return *c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *to, CUdevice device) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	std::lock_guard<std::mutex> hold(c->context_guard);
	if (!c->primary)
		c->primary = new CUctx_st(c); // for ever: a handle may be asked about at any time
	c->retained++;
	*to = c->primary;
	return CUDA_SUCCESS;
}

static CUresult give_up(CUdevice device, bool all) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	std::lock_guard<std::mutex> hold(c->context_guard);
	if (!c->primary)
		return all ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
	c->retained = all ? 0 : c->retained - 1;
	if (!c->retained) {
		c->primary->end();
		c->primary = nullptr;
	}
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return give_up(device, false); }
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return give_up(device, true); }

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	std::lock_guard<std::mutex> hold(c->context_guard);
	c->flags = flags;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	std::lock_guard<std::mutex> hold(c->context_guard);
	*flags = c->flags;
	*active = c->primary != nullptr;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext c) {
	if (!initialised())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (stack.empty())
		stack.push_back(nullptr);
	stack.back() = c;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *c) {
	if (!initialised())
		return CUDA_ERROR_NOT_INITIALIZED;
	*c = stack.empty() ? nullptr : stack.back();
	return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext c) {
	if (!initialised())
		return CUDA_ERROR_NOT_INITIALIZED;
	stack.push_back(c);
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *c) {
	if (stack.empty())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (c)
		*c = stack.back();
	stack.pop_back();
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	*device = c->card->ordinal;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	*flags = c->card->flags;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
	*least = 0;
	*greatest = -5;
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	std::set<Stream> all;
	{
		std::lock_guard<std::mutex> hold(c->guard);
		all = c->streams;
	}
	for (const Stream &s : all)
		synchronize(s);
	return (CUresult)c->lost.load();
}

CUresult cuCtxEnablePeerAccess(CUcontext other, unsigned) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	if (!other || other == c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!peers())
		return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	std::lock_guard<std::mutex> hold(c->guard);
	return c->peers.insert(other).second ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

CUresult cuCtxDisablePeerAccess(CUcontext other) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	std::lock_guard<std::mutex> hold(c->guard);
	return c->peers.erase(other) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
