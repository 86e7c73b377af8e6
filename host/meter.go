package host

import (
	"sync"
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// meter adds up what a run costs, from several goroutines.
type meter struct {
	mu   sync.Mutex // protects all
	cost cost
	past UncachedReport
}

// cost is a sum of work.
type cost struct {
	storage, transfer, compute time.Duration
	cutting                    time.Duration
	looking, linking, applying time.Duration // of storage, of transfer, of compute
	looked, cutOut             uint64        // of read
	whole, parts               int           // chunks that were sent
	read, uploaded, edges      uint64
	forwarded, told            uint64 // from device to device: of chunks, of state
	peer                       uint64 // of forwarded, without the host's link
	peak                       uint64
}

// loaded counts a chunk read from the store.
func (m *meter) loaded(bytes int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.storage += took
	m.cost.read += uint64(bytes)
}

// uncached counts a chunk that was to be read past the system's cache, and why it was not.
func (m *meter) uncached(cached error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if cached == nil {
		m.past.Chunks++
		return
	}
	if m.past.Cached++; m.past.Cached == 1 {
		m.past.Why = cached.Error()
	}
}

// lookedAt counts a chunk that was looked at for the first time, to cut lists out of it.
func (m *meter) lookedAt(bytes int, took time.Duration) {
	m.loaded(bytes, took)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.looking += took
	m.cost.looked += uint64(bytes)
}

// cut counts time spent cutting lists out of chunks, or putting so many bytes of them together.
func (m *meter) cut(bytes int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.cutting += took
	m.cost.cutOut += uint64(bytes)
	m.cost.read += uint64(bytes)
}

// chose counts a chunk that is sent, or a part of it.
func (m *meter) chose(part bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if part {
		m.cost.parts++
	} else {
		m.cost.whole++
	}
}

// sent counts what the device is given, and the time that a simulated link takes for it.
func (m *meter) sent(bytes uint64, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.uploaded += bytes
	m.cost.transfer += took
	m.cost.linking += took
}

// handedOn counts what a device is given by the one before it.
func (m *meter) handedOn(bytes uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.forwarded += bytes
}

// peered counts what a device has copied from the one before it.
func (m *meter) peered(bytes uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.peer += bytes
}

// exchanged counts the state that devices have told each other.
func (m *meter) exchanged(bytes uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.told += bytes
}

// worked counts what an event says that an earlier one of the same command did not.
func (m *meter) worked(op plugins.Op, before, now plugins.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if op == plugins.Apply || op == plugins.Restore {
		m.cost.applying += now.Compute - before.Compute
	}
	m.cost.transfer += now.Transfer - before.Transfer
	m.cost.compute += now.Compute - before.Compute
	m.cost.edges += now.Edges - before.Edges
	m.cost.peak = max(m.cost.peak, now.Peak)
}

func (m *meter) total() cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cost
}

// pastCache is nil where no chunk was to be read so.
func (m *meter) pastCache() *UncachedReport {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.past == (UncachedReport{}) {
		return nil
	}
	past := m.past
	return &past
}

// since is the cost added after earlier.
func (c cost) since(earlier cost) cost {
	c.storage -= earlier.storage
	c.transfer -= earlier.transfer
	c.compute -= earlier.compute
	c.read -= earlier.read
	c.uploaded -= earlier.uploaded
	c.forwarded -= earlier.forwarded
	c.peer -= earlier.peer
	c.told -= earlier.told
	c.cutting -= earlier.cutting
	c.looking -= earlier.looking
	c.linking -= earlier.linking
	c.applying -= earlier.applying
	c.looked -= earlier.looked
	c.cutOut -= earlier.cutOut
	c.whole -= earlier.whole
	c.parts -= earlier.parts
	c.edges -= earlier.edges
	return c
}

func (c cost) seconds(total time.Duration) Seconds {
	return Seconds{Total: total.Seconds(), Storage: c.storage.Seconds(),
		Transfer: c.transfer.Seconds(), Compute: c.compute.Seconds(), Cutting: c.cutting.Seconds()}
}

func (c cost) bytes() Bytes {
	return Bytes{Storage: c.read, Transfer: c.uploaded, Forwarded: c.forwarded, Peer: c.peer, Exchanged: c.told}
}
