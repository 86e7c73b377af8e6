package dataset

import "github.com/penstock-db/penstock/algorithms/mega/heldout"

// DrawByEnds splits examples by where the ends of each place it (package heldout), which devices can do as well.
func (e *Examples) DrawByEnds(s Shares, seed uint64) {
	e.Parts = make([]Part, len(e.Pairs))
	for i, p := range e.Pairs {
		x, sum := heldout.Place(seed, uint64(p.Source), uint64(p.Target)), 0.0
		for k, share := range s {
			if sum += share; x < sum || share > 0 && sum >= 1-1e-9 {
				e.Parts[i] = Train + Part(k)
				break
			}
		}
	}
}
