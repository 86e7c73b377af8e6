// A context is what a process does on a card; there is the primary one alone.
#pragma once

#include <cuda.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>

#include "card.h"

struct CUctx_st {
	explicit CUctx_st(softcuda::Card *);

	softcuda::Card *card;
	std::atomic<int> lost{CUDA_SUCCESS}; // the error after which there are only errors
	std::mutex guard;
	std::set<std::shared_ptr<CUstream_st>> streams; // with the default one
	std::shared_ptr<CUstream_st> standard;          // stream 0
	std::set<CUcontext> peers;
	std::atomic<bool> ended{false};

	void lose(CUresult why);
	void end(); // and all that is in it
};

namespace softcuda {

// current is the context of this thread, or an error: there is none, or it is lost.
CUresult current(CUcontext *);

} // namespace softcuda
