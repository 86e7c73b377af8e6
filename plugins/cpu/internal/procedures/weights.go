package procedures

import (
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// LargestWeight finds the largest weight, 1 where edges have none, and fails where one is below 0 or not finite.
func LargestWeight(of string, ids []int64, chunks []*csr.Chunk) (float64, error) {
	return largest(of, ids, chunks, "of 0 or more", func(w float64) bool { return w >= 0 })
}

// largest fails where a weight is not finite, or not such as are needed.
func largest(of string, ids []int64, chunks []*csr.Chunk, needed string, such func(w float64) bool) (float64, error) {
	most := 0.0
	for _, c := range chunks {
		if len(c.Weights) == 0 {
			return 1, nil
		}
		for edge, w := range c.Weights[0] {
			if !such(w) || math.IsInf(w, 1) {
				v := int(c.Rows.Base) + c.Local(c.RowOf(edge))
				return 0, plugins.Errorf(plugins.KindInvalid,
					"an edge of vertex %d weighs %v; %s needs finite weights %s", ids[v], w, of, needed)
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
	if err == nil {
		err = sums(of, most, len(ids))
	}
	return err
}

// PositivePathWeights fails where a weight is 0, too.
func PositivePathWeights(of string, ids []int64, chunks []*csr.Chunk) error {
	most, err := largest(of, ids, chunks, "above 0", func(w float64) bool { return w > 0 })
	if err == nil {
		err = sums(of, most, len(ids))
	}
	return err
}

// sums fails where the weight of a path of so many edges might not be finite.
func sums(of string, most float64, edges int) error {
	if math.IsInf(most*float64(edges), 1) {
		return plugins.Errorf(plugins.KindInvalid, "an edge weighs %v; the sum of %d such weights, as of %s, is more than a "+
			"number can be: give smaller weights", most, edges, of)
	}
	return nil
}
