package host

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/store"
)

// Needs is what a run takes, in bytes, before it runs. A run keeps to it.
type Needs struct {
	Schedule string `json:"schedule"` // "resident", or the policy that streams
	Kernel   string `json:"kernel"`
	Chunks   int    `json:"chunks"`
	// Disk is read from the store: once when resident, at most in each iteration when streamed.
	Disk uint64 `json:"disk"`
	// Host is the arena: vertex columns and chunks, or slots for them. Where the device reads
	// chunks in the store's files, the vertex columns alone are surely there.
	Host uint64 `json:"host"`
	// Device is the most that the run takes of Budget; State, of that, what it takes without
	// any chunk.
	Device uint64 `json:"device"`
	State  uint64 `json:"state"`
	Budget uint64 `json:"budget"`
	// Minimum is the least budget with which the run would start, Resident the one from
	// which on all chunks stay on the device.
	Minimum  uint64 `json:"minimum"`
	Resident uint64 `json:"resident"`
	// Transfer is what is copied to the device, as often as Disk; 0 when it reads in place.
	Transfer uint64 `json:"transfer"`
}

// Estimate tells what Run would take with the same request, and fails as it would,
// without running: the device is started and compiles, and no chunk is read.
func Estimate(ctx context.Context, snap *store.Snapshot, req Request) (*Needs, error) {
	r := newRun(ctx, snap, req, Events{})
	r.estimating = true
	defer r.close()
	for _, step := range []func() error{r.plan, r.open} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s on graph %s: %w", r.req.name(), snap.Manifest().Graph, r.cause(err))
		}
	}
	needs := r.needs()
	return &needs, nil
}

func (r *run) needs() Needs {
	n := Needs{
		Schedule: r.schedule(), Kernel: r.kernel.Kernel, Chunks: len(r.chunks),
		Host: r.used, Device: r.fit.used, State: r.kernel.Fixed, Budget: r.budget,
		Minimum: r.fit.minimum, Resident: r.kernel.Fixed + r.fit.all,
	}
	for _, c := range r.chunks {
		n.Disk += uint64(c.info.Bytes)
		if r.device.LinkBandwidth > 0 {
			n.Transfer += uint64(c.size)
		}
	}
	return n
}
