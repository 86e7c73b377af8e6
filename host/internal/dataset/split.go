package dataset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/store"
)

// Part is what a vertex is for.
type Part uint8

const (
	Unused Part = iota
	Train
	Validation
	Test
)

// Parts are their names, as a property or a report has them.
var Parts = map[Part]string{Train: "train", Validation: "validation", Test: "test"}

// Shares are a split at random: how many of the vertices of which something is known go to training, validation and
// test.
type Shares [3]float64

// ParseShares reads "0.6,0.2,0.2"; false: the text is none, and may name a property.
func ParseShares(text string) (s Shares, ok bool, err error) {
	fields := strings.Split(text, ",")
	if len(fields) != len(s) {
		return s, false, nil
	}
	sum := 0.0
	for i, f := range fields {
		if s[i], ok = number(f); !ok {
			return s, false, nil
		}
		sum += s[i]
		if !(s[i] >= 0) {
			return s, true, fmt.Errorf("a split of %s: a share is at least 0", text)
		}
	}
	if sum > 1+1e-9 || s[0] == 0 {
		return s, true, fmt.Errorf("a split of %s: shares add up to at most 1, and some vertices are for training", text)
	}
	return s, true, nil
}

func number(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil
}

// Draw splits the known vertices at random. The same seed makes the same split.
func (s Shares) Draw(known []bool, seed uint64) []Part {
	parts := make([]Part, len(known))
	var all []int
	for v, is := range known {
		if is {
			all = append(all, v)
		}
	}
	rand.New(rand.NewPCG(seed, splitStream)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	from, sum := 0, 0.0
	for i, share := range s {
		sum += share
		to := min(len(all), int(sum*float64(len(all))+0.5))
		for _, v := range all[from:to] {
			parts[v] = Train + Part(i)
		}
		from = to
	}
	return parts
}

// splitStream tells these random numbers from others of the same seed.
const splitStream = 0x73706c6974

// ReadSplit reads a split from a property of strings. Vertices without one are for nothing.
//
// Errors: *PropertyError, also where a vertex is to be learned from of which nothing is known.
func ReadSplit(ctx context.Context, snap *store.Snapshot, property string, known []bool) ([]Part, error) {
	parts := make([]Part, len(known))
	err := snap.NodeProperty(ctx, property, func(from uint64, block arrow.Array) error {
		texts, ok := block.(*array.String)
		if !ok {
			return wrong(snap, property, "is of type %v; a split is a property that says train, validation or test, or shares "+
				"such as 0.6,0.2,0.2", block.DataType())
		}
		for i := range block.Len() {
			v := from + uint64(i)
			if block.IsNull(i) {
				continue
			}
			part, ok := partNamed(texts.Value(i))
			if !ok {
				return wrongAt(ctx, snap, property, v, "says %q; a split says train, validation or test", texts.Value(i))
			}
			if parts[v] = part; !known[v] {
				return wrongAt(ctx, snap, property, v, "says %s, but the vertex has no label", texts.Value(i))
			}
		}
		return nil
	})
	return parts, err
}

func partNamed(text string) (Part, bool) {
	for part, name := range Parts {
		if strings.EqualFold(text, name) || part == Validation && strings.EqualFold(text, "val") {
			return part, true
		}
	}
	return Unused, false
}

// Count is how many vertices are for what.
func Count(parts []Part) map[Part]int {
	count := map[Part]int{}
	for _, p := range parts {
		count[p]++
	}
	return count
}
