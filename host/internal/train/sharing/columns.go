package sharing

import (
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/formats/chunk"
)

// Columns cuts sections of vertices with such degrees into intervals of about the same work, one for each device; there
// are fewer, if there are fewer sections. First says with which section each begins, and where the last ends.
func Columns(degrees []int64, devices int) (columns []chunk.Interval, first []int) {
	bounds := adjacency.Sections(degrees)
	sections, edges, vertices := len(bounds)-1, int64(0), int64(len(degrees))
	for _, d := range degrees {
		edges += d
	}
	vertex := max(1, edges/max(vertices, 1)) // as sections weigh them
	work := make([]int64, sections+1)        // before each section
	for k := range sections {
		work[k+1] = work[k]
		for _, d := range degrees[bounds[k]:bounds[k+1]] {
			work[k+1] += vertex + d
		}
	}
	count, at := min(devices, sections), 0
	for i := range count {
		first = append(first, at)
		goal, next := work[sections]*int64(i+1)/int64(count), at+1
		for next < sections-(count-1-i) && work[next+1]-goal <= goal-work[next] { // the bound that is nearest to the goal
			next++
		}
		if i == count-1 {
			next = sections
		}
		columns = append(columns, chunk.Interval{Base: uint64(bounds[at]), Count: uint64(bounds[next] - bounds[at])})
		at = next
	}
	return columns, append(first, at)
}
