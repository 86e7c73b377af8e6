package schedule

import (
	"cmp"
	"fmt"
	"slices"
)

var autoSchedule = definition{
	name: "auto", summary: "whole or in part, whichever costs less, in time and bytes",
	needs: Needs{Demand: true, Pins: true, Measures: true, Intervals: true, Nearest: true, Settle: Weighted},
	build: func([]float64) decider { return decider{Auto, autoRule, tile} },
}

// Auto sends of each chunk that with which the iteration costs least, in time and in bytes (Costs.Byte), by what this
// run has taken so far; as long as that is nothing, what is less to send. Cutting makes less to send but more to
// prepare; so the chunks of which the smallest shares are wanted are cut, and how many of these is what the costs tell.
// A chunk that would stay on the device is sent whole once its lists would have come to as much: whatever is still to
// come, that is at most twice the least there could be (renting or buying skis: Karlin et al., "Competitive snoopy
// caching", Algorithmica 1988). Where there is a Priority, far vertices wait.
func Auto(s State) []Load {
	loads := Whole(s)
	if s.Demand == nil {
		return loads
	}
	loads = slices.DeleteFunc(loads, func(l Load) bool { return s.Demand[l.Chunk] == 0 })
	for _, i := range s.cuts(loads) {
		loads[i].Part = true
	}
	return s.settle(loads)
}

// cuts are the loads that are worth cutting.
func (s State) cuts(loads []Load) []int {
	order := s.sparsest(loads)
	if !s.Costs.Measured {
		return order
	}
	now := s.prices(loads)
	best, cut := now, 0
	for n, i := range order {
		part := Load{Chunk: loads[i].Chunk, Part: true}
		if now = now.plus(s.price(part)).minus(s.price(loads[i])); now.less(best, s.Costs.Byte) {
			best, cut = now, n+1
		}
	}
	return order[:cut]
}

// sparsest are the loads that can be cut, by ascending share of what is wanted.
func (s State) sparsest(loads []Load) []int {
	var order []int
	for i, l := range loads {
		if c := s.Chunks[l.Chunk]; !c.Here && s.partBytes(l.Chunk) < float64(c.Bytes) && !s.pays(l.Chunk) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(s.share(s.Demand, loads[a].Chunk), s.share(s.Demand, loads[b].Chunk))
	})
	return order
}

// pays tells whether a chunk is to stay from now on.
func (s State) pays(chunk int) bool {
	c := s.Chunks[chunk]
	return c.Stays && float64(c.Sent)+s.partBytes(chunk) >= float64(c.Bytes)
}

func autoRule(s State, loads []Load) string {
	if !s.Costs.Measured {
		return fmt.Sprintf("%d of %d cut, which is less to send; nothing is measured yet", parts(loads), len(loads))
	}
	return fmt.Sprintf("%d of %d cut, as costs least; bound by %s", parts(loads), len(loads), s.Predict(loads).bound())
}
