package meter

import (
	"sync"
	"time"

	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// Meter adds up what a run costs, from several goroutines.
type Meter struct {
	mu   sync.Mutex // protects all
	cost Cost
	past report.UncachedReport
}

// Cost is a sum of work.
type Cost struct {
	Storage, Transfer, Compute   time.Duration
	Cutting                      time.Duration
	FirstLook, Linking, Applying time.Duration // of Storage, of Transfer, of Compute
	Looked                       uint64        // of Read
	CutOut                       uint64        // lists, out of chunks that have been looked at
	Whole, Parts                 int           // chunks that were sent
	Divided                      int           // times that column intervals were looked for in a chunk
	Queue                        report.QueueReport
	Read, Uploaded, Edges        uint64
	Spared                       uint64 // of Read, by reading packed copies
	Forwarded                    uint64 // given to a device of a chain, of another's edges
	Exchanged                    uint64 // state, from device to device
	Peak                         uint64
}

// Loaded counts a chunk read from the store.
func (m *Meter) Loaded(bytes int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Storage += took
	m.cost.Read += uint64(bytes)
}

// ReadUncached counts a chunk that was to be read past the system's cache, and why it was not.
func (m *Meter) ReadUncached(cached error) {
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

// Spared counts how much less than a chunk was read of its packed copy.
func (m *Meter) Spared(bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Spared += uint64(bytes)
}

// Copied counts the packed copies of chunks that a supply has had.
func (m *Meter) Copied(done report.CopiesReport) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.past.Copies != nil {
		done = m.past.Copies.Plus(done)
	}
	m.past.Copies = &done
}

// ReadWhole counts a chunk that was read whole though some pages of it would have done, and why.
func (m *Meter) ReadWhole(why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.past.Whole++; m.past.Whole == 1 {
		m.past.WhyWhole = why.Error()
	}
}

// FirstLook counts a chunk that was looked at for the first time, to cut lists out of it, and how much of it was read.
func (m *Meter) FirstLook(bytes int, took time.Duration) {
	m.Loaded(bytes, took)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.FirstLook += took
	m.cost.Looked += uint64(bytes)
}

// Cut counts time spent cutting lists out of chunks, or putting so many bytes of them together.
func (m *Meter) Cut(bytes int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Cutting += took
	m.cost.CutOut += uint64(bytes)
}

// Queued counts what a queue's engines have done.
func (m *Meter) Queued(done report.QueueReport) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Queue = m.cost.Queue.Plus(done)
}

// Divided counts a chunk in which column intervals were looked for.
func (m *Meter) Divided() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Divided++
}

// Chose counts a chunk that is sent, or a part of it.
func (m *Meter) Chose(part bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if part {
		m.cost.Parts++
	} else {
		m.cost.Whole++
	}
}

// Sent counts what the device is given, and the time that a simulated link takes for it.
func (m *Meter) Sent(bytes uint64, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Uploaded += bytes
	m.cost.Transfer += took
	m.cost.Linking += took
}

// Forwarded counts what a device is given of another's edges.
func (m *Meter) Forwarded(bytes uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Forwarded += bytes
}

// Exchanged counts the state that devices have told each other.
func (m *Meter) Exchanged(bytes uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Exchanged += bytes
}

// Worked counts what an event says that an earlier one of the same command did not.
func (m *Meter) Worked(op plugins.Op, before, now plugins.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if op == plugins.Apply || op == plugins.Restore {
		m.cost.Applying += now.Compute - before.Compute
	}
	m.cost.Transfer += now.Transfer - before.Transfer
	m.cost.Compute += now.Compute - before.Compute
	m.cost.Edges += now.Edges - before.Edges
	m.cost.Peak = max(m.cost.Peak, now.Peak)
}

// Total is all that was counted.
func (m *Meter) Total() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cost
}

// Uncached is nil where no chunk was to be read so.
func (m *Meter) Uncached() *report.UncachedReport {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.past == (report.UncachedReport{}) {
		return nil
	}
	past := m.past
	return &past
}

// Since is the cost added after earlier.
func (c Cost) Since(earlier Cost) Cost {
	c.Storage -= earlier.Storage
	c.Transfer -= earlier.Transfer
	c.Compute -= earlier.Compute
	c.Read -= earlier.Read
	c.Spared -= earlier.Spared
	c.Uploaded -= earlier.Uploaded
	c.Forwarded -= earlier.Forwarded
	c.Exchanged -= earlier.Exchanged
	c.Cutting -= earlier.Cutting
	c.FirstLook -= earlier.FirstLook
	c.Linking -= earlier.Linking
	c.Applying -= earlier.Applying
	c.Looked -= earlier.Looked
	c.CutOut -= earlier.CutOut
	c.Whole -= earlier.Whole
	c.Parts -= earlier.Parts
	c.Divided -= earlier.Divided
	c.Queue = c.Queue.Minus(earlier.Queue)
	c.Edges -= earlier.Edges
	return c
}

// Seconds is the cost as a report has it.
func (c Cost) Seconds(total time.Duration) report.Seconds {
	return report.Seconds{Total: total.Seconds(), Storage: c.Storage.Seconds(),
		Transfer: c.Transfer.Seconds(), Compute: c.Compute.Seconds(), Cutting: c.Cutting.Seconds()}
}

// Bytes is the cost as a report has it.
func (c Cost) Bytes() report.Bytes {
	return report.Bytes{Storage: c.Read - c.Spared, Cut: c.CutOut, Transfer: c.Uploaded, Forwarded: c.Forwarded,
		Exchanged: c.Exchanged}
}
