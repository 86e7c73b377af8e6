package bfs

import (
	"math"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// prefixes has a streamed search sent few bytes, where the host would send no lists but those that are
// asked for, or parts of them. The way of a level is then that which is likely to need fewer
// entries, and bottom up a level is several rounds:
//
//	asks for  the first entries of a few unvisited ones   in how many is one of the frontier?
//	          those of all unvisited ones                 it soon is: lists ascend, and vertices
//	                                                      of many edges come first
//	          the next, or all the rest, of those lists
//
// or, instead of what comes next, for the lists of the frontier, if that is less.
//
// How many edges the frontier has is estimated: as many a vertex as in the level before, of
// which it is known by then, or, bottom up, follows from how soon one of them was found.
type prefixes struct {
	entries  uint64 // of all lists
	looked   uint64 // at entries, in the level's rounds of one way
	found    uint64 // vertices, by them
	sampling bool   // the round asks a few
}

// listEntries is how many entries take as many bytes as a list does beside its own.
const listEntries = 2

// growth is how many times as many entries of a list have been asked for after a round as before.
const growth = 4

// count begins with the first frontier, and takes its lists to be of mean length.
func (f *streamed[T]) count() {
	*f.prefixes = prefixes{entries: f.prefixes.entries}
	f.reached, f.size, f.edges, f.unexplored = 0, 0, 0, f.prefixes.entries
	size := bitmap.Count(f.frontier)
	f.setFrontier(size, uint64(float64(size)*f.mean()))
}

// mean is how long a list is.
func (f *streamed[T]) mean() float64 { return float64(f.prefixes.entries) / float64(f.p.N) }

// turnByPrefixes ends a round in which so much has been looked at, and the level with it unless some lists go on.
func (f *streamed[T]) turnByPrefixes(looked plugins.Looked) {
	waiting := f.waiting()
	open := f.learn(waiting, looked)
	switch asked := f.p.Progress.Places; {
	case waiting > 0 && f.prefixes.sampling:
		f.prefixes.sampling = false
		f.choose(waiting, false)
	case waiting > 0 && asked.To > 0:
		f.goOn(waiting, asked.To, open)
	default:
		f.prefixes.sampling = false
		f.nextLevel()
		f.foresee()
		f.choose(waiting, true)
	}
}

// learn finds out how many edges the frontier has: top down those that were looked at; bottom
// up as large a part of all that are left as leads to it of those. It tells about how many lists may go on: were all as
// long as was asked for, there would be so many, less those in which something was found. (A session that has parts of
// lists alone does not know which are as long.)
func (f *streamed[T]) learn(waiting uint64, looked plugins.Looked) (open uint64) {
	l, reached := f.prefixes, uint64(f.p.N)-waiting
	found := reached - f.reached
	l.looked += looked.Entries
	l.found += found
	f.reached = reached
	edges, left := float64(l.looked), f.edges+f.unexplored
	if f.up {
		edges = float64(left) * float64(l.found) / edges
	}
	if l.looked > 0 {
		f.suppose(edges, left)
	}
	if asked := f.p.Progress.Places; asked.To > asked.From {
		lists := looked.Given / uint64(asked.To-asked.From)
		open = min(waiting, lists-min(lists, found))
	}
	return open
}

// foresee takes a new frontier to have as many edges a vertex as the one before.
func (f *streamed[T]) foresee() {
	each := float64(f.edges) / float64(max(1, f.size))
	f.size = bitmap.Count(f.frontier)
	f.suppose(each*float64(f.size), f.unexplored)
}

// suppose says that the frontier has so many edges, or at least one each, of those that are left.
func (f *streamed[T]) suppose(edges float64, left uint64) {
	f.edges = min(left, max(f.size, uint64(edges)))
	f.unexplored = left - f.edges
}

// choose finds the way of a level, and what its next round asks for: a few first, if they may
// be asked.
func (f *streamed[T]) choose(waiting uint64, few bool) {
	var places chunk.Places
	entries := float64(waiting) * (listEntries + f.mean())
	first := math.Round(f.looksEach())
	if parts := float64(waiting) * f.inParts(first); parts < entries && waiting > solvers.SmallGraph && f.spares(waiting) {
		places.To, entries = uint32(first), parts
	}
	f.turnTo(waiting > 0 && entries < f.looksDown() && !f.ended())
	if f.up {
		f.p.Progress.Places = places
		f.prefixes.sampling = few && places.To > 0 && f.sampleWaits()
	}
}

// sampleWaits tells whether the sample has unvisited vertices.
func (f *streamed[T]) sampleWaits() bool {
	for i, visited := range f.visited {
		if sampled(i, len(f.visited)) && ^visited&bitmap.Within(i, 0, f.p.N) != 0 {
			return true
		}
	}
	return false
}

// Of sampledParts equal parts of the vertices those in the middle are asked first, together one in sampledBy. They lie
// side by side, for the host may have to read all of a chunk for one of its lists.
const (
	sampledParts = 8
	sampledBy    = 16
)

// sampled tells whether the vertices of a word are asked first, of so many words.
func sampled(word, words int) bool {
	each := max(1, words/sampledParts)
	width := max(1, each/sampledBy)
	from := (each - width) / 2
	at := word % each
	return from <= at && at < from+width
}

// inParts is how many entries a list is likely to take: the first part of so many and, where
// that is in vain, the next.
func (f *streamed[T]) inParts(first float64) float64 {
	vain := math.Pow(1-1/first, first)
	return listEntries + first + vain*(listEntries+(growth-1)*first)
}

// turnTo has the next rounds go one way.
func (f *streamed[T]) turnTo(up bool) {
	f.up, f.p.Progress.Places = up, chunk.Places{}
	f.prefixes.looked, f.prefixes.found = 0, 0
}

// looksDown is how many entries it takes top down.
func (f *streamed[T]) looksDown() float64 { return float64(f.edges + listEntries*f.size) }

// goOn finds what the next round of a level asks for, after so many entries of each list, where so many may go on.
func (f *streamed[T]) goOn(waiting uint64, asked uint32, lists uint64) {
	open := float64(lists)
	switch {
	case f.looksDown() < open*(f.mean()+listEntries):
		f.turnTo(false)
	case open*f.mean() <= float64(f.prefixes.looked) || float64(asked) >= f.mean() || !f.spares(waiting):
		f.p.Progress.Places = chunk.Places{From: asked}
	default:
		f.p.Progress.Places = chunk.Places{From: asked, To: growth * asked}
	}
}

// spares tells whether a level may take two more rounds, of those that the program has at most,
// though every level from now on were to reach but one vertex.
func (f *streamed[T]) spares(waiting uint64) bool {
	return int(waiting)+2 < f.p.Code.Spec.Bound(uint64(f.p.N))-f.p.Progress.Iteration
}
