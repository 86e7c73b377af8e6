package knn

import (
	"math"
	"sync"
	"sync/atomic"
)

// lists are of each point the nearest that it has met, the nearest first, as near ones by their number: whichever it
// meets first, the same are left.
type lists struct {
	most  int
	all   []entry         // of each point, room for most; 0: nobody
	worst []atomic.Uint32 // of each point, how near its last entry is: that only rises
	locks [256]sync.Mutex // of points, by their last bits
}

// entry is another point, how near it is, and whether it is new, in one number: the greater, the nearer.
//
//	63 … 32 nearness, in ascending order    31 … 1 point, in descending order    0 whether it is new
type entry uint64

// mostPoints is how many points entries can tell apart.
const mostPoints = 1 << 31

const fresh entry = 1

// newEntry is new.
func newEntry(near float32, p uint32) entry {
	return entry(ascending(near))<<32 | entry(mostPoints-1-p)<<1 | fresh
}

func (e entry) point() uint32 { return mostPoints - 1 - uint32(e)>>1 }

func (e entry) near() float32 {
	bits := uint32(e >> 32)
	if bits>>31 != 0 {
		return math.Float32frombits(bits &^ (1 << 31))
	}
	return math.Float32frombits(^bits)
}

// ascending are bits that are in the order of numbers.
func ascending(x float32) uint32 {
	bits := math.Float32bits(x)
	if bits>>31 != 0 {
		return ^bits
	}
	return bits | 1<<31
}

func listsBytes(n, most int) uint64 { return uint64(n)*4 + uint64(n)*uint64(most)*8 + 4096 }

func newLists(n, most int) *lists {
	l := &lists{most: most, all: make([]entry, n*most), worst: make([]atomic.Uint32, n)}
	for p := range l.worst {
		l.worst[p].Store(math.Float32bits(float32(math.Inf(-1))))
	}
	return l
}

// of is the list of p.
func (l *lists) of(p int) []entry {
	all := l.all[p*l.most:][:l.most]
	for len(all) > 0 && all[len(all)-1] == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// least is how near one must be to enter the list of p.
func (l *lists) least(p uint32) float32 { return math.Float32frombits(l.worst[p].Load()) }

// offer enters another into the list of p if it is among the nearest, unless it is there. Several may offer at once.
func (l *lists) offer(p uint32, e entry) {
	lock := &l.locks[p%uint32(len(l.locks))]
	lock.Lock()
	l.enter(p, e)
	lock.Unlock()
}

// enter is offer, where nobody else does.
func (l *lists) enter(p uint32, e entry) {
	all := l.all[int(p)*l.most:][:l.most]
	at := place(all, e)
	if at == len(all) || all[at]|fresh == e {
		return
	}
	copy(all[at+1:], all[at:])
	all[at] = e
	if last := all[len(all)-1]; last != 0 {
		l.worst[p].Store(math.Float32bits(last.near()))
	}
}

// place is how many entries are greater.
func place(all []entry, e entry) int {
	at, n := 0, len(all)
	for n > 0 {
		half := (n + 1) / 2
		next := at
		if all[at+half-1] > e {
			next = at + half
		}
		at, n = next, n-half
	}
	return at
}
