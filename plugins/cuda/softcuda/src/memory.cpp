#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "card.h"
#include "context.h"
#include "fault.h"

namespace softcuda {

namespace {

const uint64_t PAGE = 4096, ALIGN = 256;
const uint64_t SOILED = 256 << 10;         // so much of fresh memory is filled with
const unsigned char DIRT = 0xa5;          // this: it holds anything

std::mutex guard;
std::map<CUdeviceptr, Allocation> &known = *new std::map<CUdeviceptr, Allocation>;

uint64_t up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

// map finds room for an allocation: it ends as near to the page behind it as its alignment allows.
bool map(Allocation &a) {
	uint64_t room = up(a.bytes, ALIGN), pages = up(room, PAGE);
	a.mapped = pages + PAGE;
	a.mapping = mmap(nullptr, a.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (a.mapping == MAP_FAILED)
		return false;
	if (a.file >= 0 && mmap(a.mapping, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, a.file, 0) == MAP_FAILED) {
		munmap(a.mapping, a.mapped);
		return false;
	}
	char *end = (char *)a.mapping + pages;
	mprotect(end, PAGE, PROT_NONE);
	a.at = (CUdeviceptr)(end - room);
	return true;
}

// soil fills fresh memory with what nobody has put there, and what lies behind its end.
void soil(const Allocation &a) {
	uint64_t room = up(a.bytes, ALIGN);
	memset((char *)a.at, DIRT, std::min(room, SOILED));
	memset((char *)a.at + a.bytes, DIRT, room - a.bytes);
}

// share makes the file of an allocation that other processes may map.
bool share(Allocation &a) {
	a.file = memfd_create("softcuda", MFD_CLOEXEC);
	return a.file >= 0 && !ftruncate(a.file, up(up(a.bytes, ALIGN), PAGE));
}

// sound says whether nobody has written between the end of an allocation and the page behind it.
bool sound(const Allocation &a) {
	const unsigned char *end = (const unsigned char *)(a.at + a.bytes), *wall = (const unsigned char *)a.mapping + a.mapped - PAGE;
	return std::all_of(end, wall, [](unsigned char c) { return c == DIRT; });
}

void unmap(const Allocation &a) {
	if (a.file >= 0) {
		memset((char *)a.at, DIRT, a.bytes); // who still reads it elsewhere is to notice
		close(a.file);
	}
	if (a.card && a.kind != Kind::foreign) {
		a.card->give(up(a.bytes, ALIGN));
		if (!sound(a)) {
			dprintf(2, "softcuda: behind the end of the %llu bytes at %llx something was written (error %d)\n", (unsigned long long)a.bytes,
				(unsigned long long)a.at, CUDA_ERROR_ILLEGAL_ADDRESS);
			a.context->lose(CUDA_ERROR_ILLEGAL_ADDRESS);
		}
	}
	munmap(a.mapping, a.mapped);
}

// seek finds the allocation that an address lies in; the guard is held.
std::map<CUdeviceptr, Allocation>::iterator seek(CUdeviceptr at, uint64_t bytes) {
	auto next = known.upper_bound(at);
	if (next == known.begin())
		return known.end();
	--next;
	const Allocation &a = next->second;
	bool within = at - a.at <= a.bytes && bytes <= a.bytes - (at - a.at);
	return within ? next : known.end();
}

} // namespace

CUresult allocate(Kind kind, CUcontext context, uint64_t bytes, CUdeviceptr *at, bool shared) {
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	bool on_card = kind == Kind::device || kind == Kind::managed;
	Allocation a{0, bytes, kind, on_card ? context->card : nullptr, context, nullptr, 0, -1};
	if (on_card && (next_allocation_fails() || bytes > context->card->total || !context->card->take(up(bytes, ALIGN))))
		return CUDA_ERROR_OUT_OF_MEMORY;
	if ((shared && !share(a)) || !map(a)) {
		if (a.file >= 0)
			close(a.file);
		if (on_card)
			context->card->give(up(bytes, ALIGN));
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	soil(a);
	std::lock_guard<std::mutex> hold(guard);
	known[a.at] = a;
	*at = a.at;
	return CUDA_SUCCESS;
}

CUresult borrow(int file, uint64_t bytes, Card *card, CUcontext context, CUdeviceptr *at) {
	Allocation a{0, bytes, Kind::foreign, card, context, nullptr, 0, file};
	bool mapped = map(a);
	close(file);
	a.file = -1;
	if (!mapped)
		return CUDA_ERROR_MAP_FAILED;
	std::lock_guard<std::mutex> hold(guard);
	known[a.at] = a;
	*at = a.at;
	return CUDA_SUCCESS;
}

CUresult allocate_early(CUcontext context, uint64_t bytes, CUdeviceptr *at) {
	CUresult r = allocate(Kind::device, context, bytes, at);
	if (r)
		return r;
	std::lock_guard<std::mutex> hold(guard);
	Allocation &a = known[*at];
	a.early = true;
	mprotect(a.mapping, a.mapped, PROT_NONE);
	return CUDA_SUCCESS;
}

void arrive(CUdeviceptr at) {
	std::lock_guard<std::mutex> hold(guard);
	auto found = known.find(at);
	if (found == known.end())
		return;
	found->second.early = false;
	mprotect(found->second.mapping, found->second.mapped - PAGE, PROT_READ | PROT_WRITE);
}

CUresult release(CUdeviceptr at, Kind one, Kind other) {
	Allocation a;
	{
		std::lock_guard<std::mutex> hold(guard);
		auto found = known.find(at);
		if (found == known.end() || found->second.early || (found->second.kind != one && found->second.kind != other))
			return CUDA_ERROR_INVALID_VALUE;
		a = found->second;
		known.erase(found);
	}
	unmap(a);
	return CUDA_SUCCESS;
}

// readable asks the system whether there is memory.
static bool readable(void *host, uint64_t bytes) {
	uint64_t first = (uint64_t)host / PAGE * PAGE, pages = (up((uint64_t)host + bytes, PAGE) - first) / PAGE;
	std::string resident(pages, 0);
	return mincore((void *)first, pages * PAGE, (unsigned char *)&resident[0]) == 0;
}

CUresult enlist(void *host, uint64_t bytes, CUcontext context) {
	CUdeviceptr at = (CUdeviceptr)host;
	if (!bytes || at + bytes < at || !readable(host, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (registration_fails())
		return CUDA_ERROR_NOT_SUPPORTED;
	std::lock_guard<std::mutex> hold(guard);
	auto next = known.lower_bound(at);
	if (seek(at, 0) != known.end() && seek(at, 0)->second.at + seek(at, 0)->second.bytes > at)
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	if (next != known.end() && next->first < at + bytes)
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	known[at] = Allocation{at, bytes, Kind::registered, nullptr, context, nullptr, 0, -1};
	return CUDA_SUCCESS;
}

CUresult strike(void *host) {
	std::lock_guard<std::mutex> hold(guard);
	auto found = known.find((CUdeviceptr)host);
	if (found == known.end() || found->second.kind != Kind::registered)
		return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	known.erase(found);
	return CUDA_SUCCESS;
}

void release_all(CUcontext context) {
	std::vector<Allocation> all;
	{
		std::lock_guard<std::mutex> hold(guard);
		for (auto i = known.begin(); i != known.end();)
			if (i->second.context == context) {
				all.push_back(i->second);
				i = known.erase(i);
			} else {
				++i;
			}
	}
	for (const Allocation &a : all)
		if (a.mapping && !a.early)
			unmap(a);
}

bool find(CUdeviceptr at, uint64_t bytes, Allocation *a) {
	std::lock_guard<std::mutex> hold(guard);
	auto found = seek(at, bytes);
	if (found == known.end())
		return false;
	*a = found->second;
	return true;
}

bool on_card(CUdeviceptr at, uint64_t bytes) {
	Allocation a;
	return find(at, bytes, &a) && a.card;
}

bool pinned(const void *host, uint64_t bytes) {
	Allocation a;
	return find((CUdeviceptr)host, bytes, &a) && (!a.card || a.kind == Kind::managed);
}

bool partly_pinned(const void *host, uint64_t bytes) {
	return bytes && !pinned(host, bytes) && (pinned(host, 1) || pinned((const char *)host + bytes - 1, 1));
}

} // namespace softcuda
