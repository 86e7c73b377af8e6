package procedures

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// LargestWeight finds the largest weight, 1 at the least, and fails where one is below 0 or not finite.
func LargestWeight(of string, ids []int64, chunks []*csr.Chunk) (float64, error) {
	most := 1.0
	for _, c := range chunks {
		if len(c.Weights) == 0 {
			continue
		}
		for edge, w := range c.Weights[0] {
			if w < 0 || w-w != 0 {
				v := int(c.Rows.Base) + c.Local(c.RowOf(edge))
				return 0, plugins.Errorf(plugins.KindInvalid,
					"an edge of vertex %d weighs %v; %s needs finite weights of 0 or more", ids[v], w, of)
			}
			most = max(most, w)
		}
	}
	return most, nil
}
