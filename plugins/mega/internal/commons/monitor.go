package commons

import (
	"sync"
	"sync/atomic"
)

// Monitor guards what workers have in common, and has them wait for it to change (Hoare: Monitors, an Operating System
// Structuring Concept, CACM 1974).
type Monitor interface {
	sync.Locker
	Wait()      // until it may have changed; by who has locked it, and has again afterwards
	Broadcast() // it has
}

// NewMonitor is one in such memory.
func NewMonitor(m *Memory) Monitor {
	if m.Room == nil {
		return threads{sync.NewCond(&sync.Mutex{})}
	}
	words := Take[uint32](m, 2)
	return &shared{&words[0], &words[1]}
}

// threads is a monitor of this process's workers.
type threads struct{ *sync.Cond }

func (m threads) Lock()   { m.L.Lock() }
func (m threads) Unlock() { m.L.Unlock() }

// shared is a monitor in memory that processes map, whose threads the kernel has wait for a word to change (Drepper:
// Futexes Are Tricky, 2011, section 5).
type shared struct {
	state *uint32
	turn  *uint32 // goes on with each Broadcast
}

const (
	free uint32 = iota
	locked
	contended // locked, and others may wait
)

func (m *shared) Lock() {
	if atomic.CompareAndSwapUint32(m.state, free, locked) {
		return
	}
	for atomic.SwapUint32(m.state, contended) != free {
		waitWhile(m.state, contended)
	}
}

func (m *shared) Unlock() {
	if atomic.SwapUint32(m.state, free) == contended {
		wake(m.state, 1)
	}
}

func (m *shared) Wait() {
	turn := atomic.LoadUint32(m.turn)
	m.Unlock()
	waitWhile(m.turn, turn)
	m.Lock()
}

func (m *shared) Broadcast() {
	atomic.AddUint32(m.turn, 1)
	wake(m.turn, everybody)
}

// everybody is how many wait for a word, at the most.
const everybody = 1<<31 - 1
