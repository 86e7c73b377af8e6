package cpu

import (
	"sort"

	"github.com/penstock-db/penstock/plugins"
)

// ownShare is the vertices [from, to) that a program sees to, of several devices' program: it sends
// to them alone, and Apply gives a state to nobody else.
type ownShare struct{ from, to int }

// newShare is nil where the program has all vertices.
func newShare(task plugins.Task) *ownShare {
	if task.Share == nil {
		return nil
	}
	return &ownShare{int(task.Share.Base), int(task.Share.End())}
}

// clip is what of the vertices [from, to) is in the share.
func (s *ownShare) clip(from, to int) (int, int) { return max(from, s.from), min(to, s.to) }

// edges are, of the edges [from, to) of a row of r, those that lead into the share: columns ascend.
func (s *ownShare) edges(r *resident, from, to int) (int, int) {
	base := int(r.cols.Base)
	list := r.neighbors[from:to]
	return from + below(list, s.from-base), from + below(list, s.to-base)
}

// isOthers tells whether the rows of a segment pull for others alone.
func (p *program) isOthers(r *resident, s int) bool {
	if p.share == nil || !p.pulls() {
		return false
	}
	_, to, row := r.segment(s)
	end := sort.Search(len(r.offsets), func(i int) bool { return int(r.offsets[i]) >= to })
	base := int(r.rows.Base)
	return base+r.local(row) >= p.share.to || base+r.local(end-1) < p.share.from
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
