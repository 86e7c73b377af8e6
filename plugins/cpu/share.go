package cpu

import (
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// ownShare is the vertices [from, to) that a program sees to, of several devices' program: it sends
// to them alone, and Apply gives a state to nobody else.
type ownShare struct{ from, to int }

// newShare is nil where the program has all vertices.
func newShare(task plugins.Task, n int) (*ownShare, error) {
	i := task.Share
	switch {
	case i == nil:
		return nil, nil
	case !task.Restorable || task.Settle:
		return nil, plugins.Errorf(plugins.KindInvalid, "a share needs a task that is restorable and does not settle")
	case !isShare(*i, uint64(n)):
		return nil, plugins.Errorf(plugins.KindInvalid, "a share of %d vertices from %d on, of %d: it begins and ends at multiples of 64", i.Count, i.Base, n)
	}
	return &ownShare{int(i.Base), int(i.End())}, nil
}

func isShare(i chunk.Interval, n uint64) bool {
	return i.Base <= n && i.Count <= n-i.Base && i.Base%64 == 0 && (i.End()%64 == 0 || i.End() == n)
}

// clip is what of the vertices [from, to) is in the share.
func (s *ownShare) clip(from, to int) (int, int) { return max(from, s.from), min(to, s.to) }

// edges are, of the edges [from, to) of a row of r, those that lead into the share: columns ascend.
func (s *ownShare) edges(r *csr.Chunk, from, to int) (int, int) {
	base := int(r.Cols.Base)
	list := r.Neighbors[from:to]
	return from + csr.CountBelow(list, s.from-base), from + csr.CountBelow(list, s.to-base)
}

// isOthers tells whether the rows of a segment pull for others alone.
func (p *program) isOthers(r *csr.Chunk, s int) bool {
	if p.share == nil || !p.pulls() {
		return false
	}
	_, to, row := r.Segment(s)
	end := sort.Search(len(r.Offsets), func(i int) bool { return int(r.Offsets[i]) >= to })
	base := int(r.Rows.Base)
	return base+r.Local(row) >= p.share.to || base+r.Local(end-1) < p.share.from
}

// turnBlock is what finish does to a block: Apply, of the share.
func (p *program) turnBlock() func(worker, block, from, to int) {
	apply := p.applyToBlock()
	if p.share == nil {
		return apply
	}
	return func(worker, block, from, to int) {
		p.changes[block] = change{}
		if from, to = p.share.clip(from, to); from < to {
			apply(worker, block, from, to)
		}
	}
}
