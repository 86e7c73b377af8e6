package neural

import (
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// chain is rows of vertices that one loop makes, which reads and writes them once. What is on the way, which nothing
// else reads, is not made:
//
//	y + scale · x        or y + scale · x + more, where scale has a number for each part of a row
//	mask · x · y
type chain struct {
	mask, scale, x, y, more *dataflow.Value // more: nil where there is none
	unmade                  []*dataflow.Value
}

// chains finds those of a stage.
func chains(stage *dataflow.Stage) map[*dataflow.Value]*chain {
	all := scaledSums(stage)
	maps.Copy(all, maskedProducts(stage))
	return all
}

// scaledSums finds the sums among them.
func scaledSums(stage *dataflow.Stage) map[*dataflow.Value]*chain {
	readers, sums := readersOf(stage), map[*dataflow.Value]*chain{}
	for _, w := range stage.Waves {
		for _, v := range w.Rows {
			if v.Op != dataflow.Add {
				continue
			}
			for k, a := range v.Args {
				other := v.Args[1-k]
				if a.Width != v.Width || !isRows(other, v.Width) || !isOnTheWay(a, stage, &w, readers) {
					continue // what is narrower would be repeated
				}
				if sum := sumOfScaled(a, other, sums); sum != nil {
					delete(sums, a)
					sums[v] = sum
					break
				}
			}
		}
	}
	return sums
}

// sumOfScaled is a + other, which are as wide, if a is scaled rows, or a sum of such and one other thing; else nil.
func sumOfScaled(a, other *dataflow.Value, sums map[*dataflow.Value]*chain) *chain {
	if s := sums[a]; s != nil && s.more == nil {
		return &chain{scale: s.scale, x: s.x, y: s.y, more: other, unmade: append(s.unmade, a)}
	}
	if a.Op != dataflow.Multiply {
		return nil
	}
	scale, x := narrower(a)
	if scale.Width == x.Width || scale.Place != dataflow.Vertices || scale.Op == dataflow.Mask || x.Op == dataflow.Mask {
		return nil
	}
	return &chain{scale: scale, x: x, y: other, unmade: []*dataflow.Value{a}}
}

// isOnTheWay says whether a wave makes v for one thing that it computes.
func isOnTheWay(v *dataflow.Value, stage *dataflow.Stage, w *dataflow.Wave, readers map[*dataflow.Value]int) bool {
	return readers[v] == 1 && slices.Contains(w.Rows, v) && !slices.Contains(stage.Stored, v)
}

// isRows says whether v is so wide rows of numbers that lie in memory, or one for all. What is sparse, only products
// and dropouts of the same read.
func isRows(v *dataflow.Value, width int) bool { return v.Width == width && v.Op != dataflow.Mask }

// maskedProducts finds the products among them.
func maskedProducts(stage *dataflow.Stage) map[*dataflow.Value]*chain {
	readers, products := readersOf(stage), map[*dataflow.Value]*chain{}
	for _, w := range stage.Waves {
		for _, v := range w.Rows {
			if v.Op != dataflow.Multiply {
				continue
			}
			ofVertices := func(x *dataflow.Value) bool { return x.Place == dataflow.Vertices && isRows(x, v.Width) }
			for k, a := range v.Args {
				y := v.Args[1-k]
				if a.Op != dataflow.Multiply || !ofVertices(y) || !isOnTheWay(a, stage, &w, readers) {
					continue
				}
				mask, x := a.Args[0], a.Args[1]
				if x.Op == dataflow.Mask {
					mask, x = x, mask
				}
				if mask.Op == dataflow.Mask && mask.Width == v.Width && ofVertices(x) {
					products[v] = &chain{mask: mask, x: x, y: y, unmade: []*dataflow.Value{a}}
					break
				}
			}
		}
	}
	return products
}

// chain makes the block's rows of v.
func (b *block[T]) chain(v *dataflow.Value, c *chain) {
	rows := func(v *dataflow.Value) []T {
		if v == nil {
			return nil
		}
		x := b.of(v)
		if x.one {
			return x.data[:v.Width]
		}
		return x.data[:b.count*v.Width]
	}
	out := b.rows[v.ID]
	if c.mask != nil {
		d := b.masks(c.mask)
		vector.MaskProduct(out, rows(c.x), rows(c.y), d.keys, v.Width, d.of)
		return
	}
	parts := c.scale.Width
	vector.AddScaled(out, rows(c.x), rows(c.scale), rows(c.y), rows(c.more), parts, v.Width/parts)
}
