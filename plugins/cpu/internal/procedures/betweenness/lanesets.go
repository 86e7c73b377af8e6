package betweenness

import (
	"sync/atomic"
	"unsafe"
)

// laneSets is a set of lanes for each vertex, a byte each, so that those of a million
// vertices stay in a core's own cache. Its words are the same memory: several workers
// may add to neighbouring bytes.
type laneSets struct {
	sets  []uint8
	words []uint32
}

func newLaneSets(n int) laneSets {
	words := make([]uint32, n/4+1)
	return laneSets{sets: unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(words))), n), words: words}
}

func laneSetsBytes(n int) uint64 { return uint64(n) + 4 }

// add adds lanes to v's and returns those it had before.
func (m laneSets) add(v uint32, set uint8) uint8 {
	var word uint32
	bytesOf(&word)[v&3] = set
	before := atomic.OrUint32(&m.words[v>>2], word)
	return bytesOf(&before)[v&3]
}

// of is v's lanes while others may add.
func (m laneSets) of(v uint32) uint8 {
	word := atomic.LoadUint32(&m.words[v>>2])
	return bytesOf(&word)[v&3]
}

func bytesOf(word *uint32) *[4]uint8 { return (*[4]uint8)(unsafe.Pointer(word)) }
