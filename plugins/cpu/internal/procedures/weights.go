package procedures

import (
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// LargestWeight finds the largest weight, 1 where edges have none, and fails where one is below 0 or not finite.
func LargestWeight(of string, ids []int64, chunks []*csr.Chunk) (float64, error) {
	most := 0.0
	for _, c := range chunks {
		if len(c.Weights) == 0 {
			return 1, nil
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

// PathWeights fails where a weight is below 0 or not finite, or where that of a path might be: where it overflows, no
// search would end.
func PathWeights(of string, ids []int64, chunks []*csr.Chunk) error {
	most, err := LargestWeight(of, ids, chunks)
	if err == nil && math.IsInf(most*float64(len(ids)), 1) {
		err = plugins.Errorf(plugins.KindInvalid, "an edge weighs %v; the sum of %d such weights, as of %s, is more than a "+
			"number can be: give smaller weights", most, len(ids), of)
	}
	return err
}
