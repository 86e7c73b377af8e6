package engine

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// scratch is what allocate takes and the machines hold, in bytes.
func (p *Program) scratch() uint64 {
	blocks := uint64(parallel.BlockCount(p.N))
	bytes := blocks*activity.ChangeBytes + p.steps.Size()
	if p.stepper != nil {
		return bytes + p.stepper.Scratch() + p.Code.Init.Size() + p.Code.Message.Size()
	}
	if p.nearest != nil {
		return bytes + p.nearest.Scratch() + p.Code.Init.Size() + p.Code.Message.Size()
	}
	if p.sums != nil {
		return bytes + p.sums.Scratch()
	}
	bytes += p.Code.Bytes() + kernels.AccumulatorBytes(p.Code, p.Pool.Threads, p.Heads) + p.edges.Size()
	bytes += uint64(len(p.Code.Spec.Aggregates)) * 8 * blocks
	if p.Code.Process.Fused {
		bytes += kernels.MessageBytes(p.Code, readAtRandom(&p.Problem))
	}
	if p.bottomUp != nil {
		bytes += p.bottomUp.Size()
	}
	if p.Mode.Settling {
		bytes += 8*uint64(bitmap.Words(p.N)) + p.sorted.scratch(p.N)
	}
	if p.ownSums != nil {
		bytes += p.ownSums.Scratch()
	}
	for _, s := range p.solvers {
		bytes += s.Scratch()
	}
	return bytes
}

// readAtRandom tells whether messages are: rows that push read only their own.
func readAtRandom(p *solvers.Problem) bool {
	return !p.Mode.Settling && (p.Code.Pulls || !shape.Accumulates(p.Code.Spec.Reduce))
}

// Allocate makes what the budget was asked for.
func (p *Program) Allocate() {
	blocks := parallel.BlockCount(p.N)
	p.Progress.Changes = make([]activity.Change, blocks)
	if p.stepper != nil {
		p.stepper.Allocate()
		return
	}
	if p.nearest != nil {
		p.nearest.Allocate()
		return
	}
	if p.sums != nil {
		p.sums.Allocate()
		return
	}
	p.Acc.Allocate(p.Code.Pulls, p.Pool.Threads, p.Heads)
	p.Code.Allocate()
	if p.Code.Process.Fused {
		p.messages.Allocate(p.Code, readAtRandom(&p.Problem))
	}
	for _, s := range p.solvers {
		s.Allocate()
	}
	if p.Mode.Settling {
		p.departing = make([]uint64, bitmap.Words(p.N))
		p.sorted.allocate(p.N)
	}
	if p.ownSums != nil {
		p.ownSums.Allocate()
	}
	if p.bottomUp != nil {
		p.bottomUp.Extents = make([]kernels.Extent, blocks)
		p.sender.extents = p.bottomUp.Extents
	}
	p.sender.partials = make([]float64, blocks*len(p.Code.Spec.Aggregates))
}
