// Triangles, and the edges opposite a vertex in them. Every pair of neighbours stands once, in the list of the
// one of lower degree (Schank and Wagner 2005, "forward"), and a warp intersects the lists of an edge's two
// ends by binary search. (Hu, Liu, Huang, "TriCore: parallel triangle counting on GPUs", 2018.)
//
//	out, in ──keep──▶ bit an entry ──ranks──▶ where it goes ──scatter──▶ oriented lists ──close──▶ counts
//
// An entry of an oriented list is a vertex and, in the two high bits, which edges join the pair: the lower of
// them from the list's vertex, the higher one back.
#pragma once

#include "procedure_lists.cuh"

const int LINK_BITS = 30;
const u32 LINKED = (1u << LINK_BITS) - 1; // the bits of the vertex

// Ranked are bits, one an entry of lists, and of each word of them how many are set before it. (Jacobson,
// "Space-efficient static trees and graphs", 1989.) Words 0: none.
struct Ranked {
	const u32 *words;
	const u64 *before;
};

__device__ static bool has(Ranked r, u64 entry) { return r.words[entry / 32] >> entry % 32 & 1; }

// rank is how many bits are set before that of entry.
__device__ static u64 rank(Ranked r, u64 entry) {
	if (!r.words)
		return 0;
	u32 below = (1u << entry % 32) - 1;
	return r.before[entry / 32] + (below ? __popc(r.words[entry / 32] & below) : 0);
}

// above tells whether u comes after v by degree.
__device__ static bool above(Lists own, Lists other, u64 u, u64 v) {
	u64 at_u = length(own, u) + length(other, u), at_v = length(own, v) + length(other, v);
	return at_u > at_v || (at_u == at_v && u > v);
}

__device__ static bool contains(Lists lists, u64 v, u32 u) {
	u64 end = to(lists, v), at = find(lists.neighbors, from(lists, v), end, u, ALL);
	return at < end && lists.neighbors[at] == u;
}

// procedure_corners_keep marks the entries that the oriented lists have: the first to name a neighbour that is
// above the list's vertex, unless the other lists, when they are earlier, have it already.
extern "C" __global__ void procedure_corners_keep(u64 vertices, u64 entries, const u64 *offsets, const u32 *neighbors,
	const u64 *other_offsets, const u32 *other_neighbors, u64 later, u32 *words) {
	Lists own = {offsets, neighbors}, other = {other_offsets, other_neighbors};
	for (u64 base = thread() - lane(); base < entries; base += threads()) {
		u64 entry = base + lane();
		bool kept = false;
		if (entry < entries) {
			u64 v = owner(offsets, vertices, entry);
			u32 u = neighbors[entry];
			kept = above(own, other, u, v) && (entry == offsets[v] || neighbors[entry - 1] != u) && !(later && contains(other, v, u));
		}
		u32 word = __ballot_sync(ALL, kept);
		if (lane() == 0)
			words[base / 32] = word;
	}
}

// procedure_corners_counts is how many bits each word has.
extern "C" __global__ void procedure_corners_counts(u64 count, const u32 *words, u32 *counts) {
	for (u64 i = thread(); i < count; i += threads())
		counts[i] = (u32)__popc(words[i]);
}

// procedure_corners_offsets says where the oriented lists begin, and where the last one ends.
extern "C" __global__ void procedure_corners_offsets(u64 vertices, const u64 *out_offsets, const u32 *out_words, const u64 *out_before,
	const u64 *in_offsets, const u32 *in_words, const u64 *in_before, u64 *offsets) {
	for (u64 v = thread(); v <= vertices; v += threads())
		offsets[v] = rank({out_words, out_before}, out_offsets[v]) + (in_offsets ? rank({in_words, in_before}, in_offsets[v]) : 0);
}

// procedure_corners_scatter merges: an entry that was kept goes behind those kept before it in its own lists and
// those of smaller neighbours in the others. own_bit stands for the way that own lists lead, or, where direction
// does not matter, for all; other_bit for the other way.
extern "C" __global__ void procedure_corners_scatter(u64 vertices, u64 entries, const u64 *offsets, const u32 *neighbors, const u32 *words, const u64 *before,
	const u64 *other_offsets, const u32 *other_neighbors, const u32 *other_words, const u64 *other_before, u64 own_bit, u64 other_bit, u32 *links) {
	Lists other = {other_offsets, other_neighbors};
	Ranked kept = {words, before}, other_kept = {other_words, other_before};
	for (u64 entry = thread(); entry < entries; entry += threads()) {
		if (!has(kept, entry))
			continue;
		u64 v = owner(offsets, vertices, entry), bits = own_bit;
		u32 u = neighbors[entry];
		u64 at = find(other_neighbors, from(other, v), to(other, v), u, ALL);
		if (at < to(other, v) && other_neighbors[at] == u)
			bits |= other_bit;
		links[rank(kept, entry) + rank(other_kept, at)] = u | (u32)bits << LINK_BITS;
	}
}

__device__ static u32 linked(u32 link) { return link & LINKED; }
__device__ static u64 edges(u32 link) { return (u64)__popc(link >> LINK_BITS); }

// procedure_corners_close finds the triangles of the links [first, last): each stands over the link between its
// two lower corners. To each corner it counts the edges between the other two.
extern "C" __global__ void procedure_corners_close(u64 vertices, u64 first, u64 last, const u64 *offsets, const u32 *links, u64 *counts) {
	Lists lists = {offsets, links};
	for (u64 link = first + thread() / 32; link < last; link += threads() / 32) {
		u64 u = owner(offsets, vertices, link), v = linked(links[link]);
		bool swapped = length(lists, v) < length(lists, u); // the shorter list is looked up in the longer one
		u64 shorter = swapped ? v : u, longer = swapped ? u : v;
		u64 at_shorter = 0, at_longer = 0, end = to(lists, longer);
		for (u64 i = from(lists, shorter) + lane(); i < to(lists, shorter); i += 32) {
			u32 w = linked(links[i]);
			u64 found = find(links, from(lists, longer), end, w, LINKED);
			if (found == end || linked(links[found]) != w)
				continue;
			at_shorter += edges(links[found]);
			at_longer += edges(links[i]);
			atomicAdd(&counts[w], edges(links[link]));
		}
		at_shorter = total(at_shorter);
		at_longer = total(at_longer);
		if (lane() == 0 && at_shorter != 0) {
			atomicAdd(&counts[shorter], at_shorter);
			atomicAdd(&counts[longer], at_longer);
		}
	}
}

// procedure_corners_neighbors counts each vertex's neighbours that are below it.
extern "C" __global__ void procedure_corners_neighbors(u64 count, const u32 *links, u32 *below) {
	for (u64 i = thread(); i < count; i += threads())
		atomicAdd(&below[linked(links[i])], 1u);
}

// procedure_lcc_shares is what part of the ordered pairs of its neighbours edges join: these are counted in the
// bits of its coefficient.
extern "C" __global__ void procedure_lcc_shares(u64 vertices, const u64 *offsets, const u32 *below, f64 *coefficients) {
	for (u64 v = thread(); v < vertices; v += threads()) {
		u64 edges = ((const u64 *)coefficients)[v], k = below[v] + (offsets[v + 1] - offsets[v]);
		coefficients[v] = k < 2 ? 0 : (f64)edges / ((f64)k * (f64)(k - 1));
	}
}
