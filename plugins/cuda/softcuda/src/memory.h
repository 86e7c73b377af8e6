// All memory that the library knows: of cards, and of the host where it is pinned. Addresses of cards are
// addresses of this process, each behind the other with a page between them that nobody may touch, so that
// a kernel that goes wrong is caught (signals.cpp).
#pragma once

#include <cuda.h>

#include <cstdint>

namespace softcuda {

struct Card;

enum class Kind { device, managed, pinned, registered, foreign };

struct Allocation {
	CUdeviceptr at;
	uint64_t bytes;
	Kind kind;
	Card *card;         // of device, managed and foreign: another process's
	CUcontext context;
	void *mapping;      // what was mapped for it, if anything
	uint64_t mapped;
	int file = -1;      // that other processes can map as well; -1: there is none
	bool early = false; // the stream that takes it has not come to that: nobody may touch it
};

CUresult allocate(Kind, CUcontext, uint64_t bytes, CUdeviceptr *, bool shared = false); // shared: in a file
CUresult allocate_early(CUcontext, uint64_t bytes, CUdeviceptr *);
void arrive(CUdeviceptr);                                                              // ends that
CUresult borrow(int file, uint64_t bytes, Card *, CUcontext, CUdeviceptr *); // what another process has allocated so
CUresult release(CUdeviceptr, Kind, Kind);                      // one of those
CUresult enlist(void *host, uint64_t bytes, CUcontext);         // registers
CUresult strike(void *host);                                    // and takes it back
void release_all(CUcontext);                                    // of the cards
bool find(CUdeviceptr, uint64_t bytes, Allocation *);           // that has all of them
bool on_card(CUdeviceptr, uint64_t bytes);
bool pinned(const void *, uint64_t bytes);
bool partly_pinned(const void *, uint64_t bytes);               // begins or ends in what is, and does not lie in it

} // namespace softcuda
