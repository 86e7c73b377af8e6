package sharing

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
)

// pulled is a value that devices pull at an end.
type pulled struct {
	end   dataflow.End
	value *dataflow.Value
	far   bool
}

// Exchanged is what all passes that have been computed had travel from device to device, by what lies where: of each
// value that a stage reads and an earlier one has stored, the rows that another device has, once in a pass, and once at
// all if they are fixed; and of sums what the ring takes.
func (r *Runner) Exchanged() (bytes uint64) {
	fixed := map[pulled]bool{}
	for i := range r.Passes {
		once, each := r.Bytes(i, fixed)
		if r.done != nil && r.done[i] > 0 {
			bytes += once + r.done[i]*each
		}
	}
	return bytes
}

// Bytes is what travels in a pass: before the first, unless it is among fixed already, and in each.
func (r *Runner) Bytes(pass int, fixed map[pulled]bool) (once, each uint64) {
	p, n := &r.Passes[pass], len(r.Devices)
	at := map[*dataflow.Value]dataflow.End{}
	for i := range p.Once {
		r.eachPulled(&p.Once[i], at, func(of pulled) {
			if !fixed[of] {
				fixed[of] = true
				once += r.foreign(of, at[of.value])
			}
		})
		once += ring.Bytes(n, len(r.Layout.Columns[p.Once[i].End]), streaming.AddedBytes(&p.Once[i]))
		for _, v := range p.Once[i].Stored {
			at[v] = p.Once[i].End
		}
	}
	seen, epoch := map[pulled]bool{}, map[*dataflow.Value]bool{}
	for i := range p.Epoch {
		r.eachPulled(&p.Epoch[i], at, func(of pulled) {
			switch {
			case epoch[of.value] && !seen[of]:
				seen[of] = true
				each += r.foreign(of, at[of.value])
			case !epoch[of.value] && !fixed[of]:
				fixed[of] = true
				once += r.foreign(of, at[of.value])
			}
		})
		each += ring.Bytes(n, len(r.Layout.Columns[p.Epoch[i].End]), streaming.AddedBytes(&p.Epoch[i]))
		for _, v := range p.Epoch[i].Stored {
			at[v], epoch[v] = p.Epoch[i].End, true
		}
	}
	return once, each
}

// eachPulled visits what devices pull for a stage, of what has been stored at some end.
func (r *Runner) eachPulled(s *grid.Stage, at map[*dataflow.Value]dataflow.End, visit func(pulled)) {
	end := s.End
	if r.Layout.OneEnd {
		end = dataflow.AtTarget
	}
	for _, v := range s.Near {
		if from, is := at[v]; is && !r.Layout.OneEnd && from != s.End {
			visit(pulled{end, v, false})
		}
	}
	for wave := range s.Waves {
		for _, v := range s.Far[wave] {
			if _, is := at[v]; is {
				visit(pulled{end, v, true})
			}
		}
	}
}

// foreign is what rows that devices pull take, of which others have stored them at an end.
func (r *Runner) foreign(of pulled, at dataflow.End) (bytes uint64) {
	for _, d := range r.Devices {
		own, to, rows := r.Layout.column(at, d.number), d.regions[of.end], uint64(0)
		if of.far {
			for _, u := range to.sources {
				if uint64(u) < own.Base || uint64(u) >= own.End() {
					rows++
				}
			}
		} else {
			rows = to.of.Count
			if base, last := max(own.Base, to.of.Base), min(own.End(), to.of.End()); base < last {
				rows -= last - base
			}
		}
		bytes += 4 * rows * uint64(of.value.Width)
	}
	return bytes
}
