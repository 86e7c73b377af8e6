package cut

import (
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Across is as Within for each of several column intervals, in one pass: they follow each other, and cover all that the
// lists lead to. It takes the time of what it gives, however many intervals there are.
func (s Selection) Across(cols []chunk.Interval) []Selection {
	parts := make([]Selection, len(cols))
	for q, interval := range cols {
		parts[q] = s.nothing()
		parts[q].cols = interval
	}
	all, base := s.chunk.Neighbors(), s.meta.Cols.Base
	for _, l := range s.lists {
		for from := l.from; from < l.to; {
			first := base + uint64(all[from])
			q := sort.Search(len(cols), func(q int) bool { return cols[q].End() > first })
			to := from + int32(atLeast(all[from:l.to], cols[q].End()-base))
			parts[q].push(list{l.vertex, from, to})
			from = to
		}
	}
	return parts
}
