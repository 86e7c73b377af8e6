package schedule

import "time"

// Times are how long a load took in each stage on its way, and how much it was. The stages of
// different loads overlap.
//
//	stored ──Read──▶ lists ──Copy──▶ slot ──Transfer──▶ device ──Compute──▶
type Times struct {
	Read     time.Duration // looking for the lists that are wanted
	Copy     time.Duration // from where chunks are stored to a slot
	Transfer time.Duration // to the device
	Compute  time.Duration
	Bytes    uint64
}

// Add adds what another part of the same load took.
func (t *Times) Add(part Times) {
	t.Read += part.Read
	t.Copy += part.Copy
	t.Transfer += part.Transfer
	t.Compute += part.Compute
	t.Bytes += part.Bytes
}

// Pipeline is what works on the loads at the same time.
type Pipeline struct {
	Workers int // that read, and as many that copy
	Slots   int // loads that are being copied, transferred or computed with, at most
}

// Simulate is how long loads take that pass through the pipeline in an order: every stage
// takes them as they come, a copy begins when there is a slot for it, and one load at a time is
// transferred, and computed with.
func (p Pipeline) Simulate(loads []Times, order []int) (makespan time.Duration) {
	readers, copiers, slots := make([]time.Duration, p.Workers), make([]time.Duration, p.Workers),
		make([]time.Duration, p.Slots)
	var transferred, computed time.Duration
	for i, l := range order {
		t := loads[l]
		reader, copier, slot := &readers[i%p.Workers], &copiers[i%p.Workers], &slots[i%p.Slots]
		*reader += t.Read
		*copier = max(*copier, *reader, *slot) + t.Copy
		transferred = max(transferred, *copier) + t.Transfer
		computed = max(computed, transferred) + t.Compute
		*slot = computed
	}
	return computed
}
