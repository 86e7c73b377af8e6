package knn

import (
	"math"
	"sync"
	"sync/atomic"
)

// lists are of each vertex the nearest that it has met, the nearest first, as near ones by their ids: whichever it
// meets first, the same are left.
type lists struct {
	most   int
	ids    []int64  // of vertices
	length []int32  // of each list
	others []uint32 // of each vertex, room for most
	near   []float32
	age    []age           // of each entry
	worst  []atomic.Uint32 // of each vertex, what its last entry has, as long as that only rises
	locks  [256]sync.Mutex // of vertices, by their last bits
}

// age says when an entry came.
type age uint8

const (
	old   age = iota // it has been compared with others
	fresh            // it has not
	now              // nor can it have been: it came in this iteration
)

func listsBytes(n, most int) uint64 { return uint64(n)*8 + uint64(n)*uint64(most)*9 + 4096 }

func newLists(n, most int, ids []int64) *lists {
	l := &lists{most: most, ids: ids, length: make([]int32, n), others: make([]uint32, n*most),
		near: make([]float32, n*most), age: make([]age, n*most), worst: make([]atomic.Uint32, n)}
	for v := range l.worst {
		l.worst[v].Store(math.Float32bits(float32(math.Inf(-1))))
	}
	return l
}

// of are the others in the list of v.
func (l *lists) of(v int) []uint32 { return l.others[v*l.most:][:l.length[v]] }

// ages are those of the entries of v.
func (l *lists) ages(v int) []age { return l.age[v*l.most:][:l.length[v]] }

// offer enters u into the list of v if it is among the nearest, unless it is there. Several may offer at once.
func (l *lists) offer(v, u uint32, near float32) {
	if near < math.Float32frombits(l.worst[v].Load()) {
		return
	}
	lock := &l.locks[v%uint32(len(l.locks))]
	lock.Lock()
	l.enter(v, u, near)
	lock.Unlock()
}

// enter is offer, where nobody else does.
func (l *lists) enter(v, u uint32, near float32) {
	from, length := int(v)*l.most, int(l.length[v])
	at := l.place(from, length, u, near)
	if at == l.most || at < length && l.others[from+at] == u {
		return
	}
	if length < l.most {
		length++
		l.length[v] = int32(length)
	}
	others, nears, ages := l.others[from:from+length], l.near[from:from+length], l.age[from:from+length]
	copy(others[at+1:], others[at:])
	copy(nears[at+1:], nears[at:])
	copy(ages[at+1:], ages[at:])
	others[at], nears[at], ages[at] = u, near, now
	if length == l.most {
		l.worst[v].Store(math.Float32bits(nears[length-1]))
	}
}

// place is where u stands in a list, or would stand.
func (l *lists) place(from, length int, u uint32, near float32) int {
	nears, low, high := l.near[from:from+length], 0, length
	for low < high {
		middle := (low + high) / 2
		x := nears[middle]
		if x > near || x == near && l.ids[l.others[from+middle]] < l.ids[u] {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
