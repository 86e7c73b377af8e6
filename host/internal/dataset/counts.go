package dataset

import (
	"context"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// MostTokens is how many tokens topics are learned from.
const MostTokens = math.MaxInt32

// ReadTokens counts the tokens of each vertex that edges lead from: the sum of a property of its edges, or their number
// where there is none.
//
// Errors: *store.UnknownPropertyError; *EdgeError, also where a count is no whole number of at least 0.
func ReadTokens(ctx context.Context, snap *store.Snapshot, property string) (tokens []uint64, err error) {
	tokens = make([]uint64, snap.Manifest().Vertices)
	wrong := func(format string, args ...any) error {
		return &EdgeError{snap.Manifest().Graph, property, fmt.Sprintf(format, args...)}
	}
	all := uint64(0)
	err = eachEdge(ctx, snap, property, func(pairs []Pair, of arrow.Array, view *chunk.Chunk, at []int) error {
		var numbers []float64
		if property != "" {
			var are bool
			if numbers, are = view.Float64s(property); !are {
				return wrong("%s", NotNumbers(property, of.DataType().String()))
			}
		}
		for i, pair := range pairs {
			count := 1.0
			if property != "" {
				count = numbers[at[i]]
			}
			if property != "" && of.IsNull(at[i]) || !(count >= 0 && count <= MostTokens) || count != math.Trunc(count) {
				ends, err := names(ctx, snap, pair)
				if err != nil {
					return err
				}
				if of.IsNull(at[i]) {
					return wrong("is missing at %s: give a whole number of at least 0, how often the word is in the document", ends)
				}
				return wrong("of %s is %v: give a whole number of at least 0, how often the word is in the document", ends, count)
			}
			tokens[pair.Source] += uint64(count)
			if all += uint64(count); all > MostTokens {
				return wrong("adds up to more than %d: topics are learned from so many tokens at the most", MostTokens)
			}
		}
		return nil
	})
	if err == nil && all == 0 {
		err = &EdgeError{snap.Manifest().Graph, property, "has no count above 0: load a graph whose edges lead from documents to words"}
	}
	return tokens, err
}
