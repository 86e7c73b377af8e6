package dataflow

import (
	"math/bits"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// The cut of random values is as wide as the least of all subsets that will do, and makes no value again that another
// of these does not make again too.
func TestCut_Least(t *testing.T) {
	r := testseed.Rand(t)
	for range 3000 {
		values := make([]*Value, 1+r.IntN(9))
		c := newCut()
		for i := range values {
			v := &Value{ID: i, Place: Vertices, Width: 1 + r.IntN(4)}
			values[i], c.made[v] = v, r.IntN(4) > 0
			for _, a := range values[:i] {
				if r.IntN(3) == 0 {
					c.join(v, a)
				}
			}
			if r.IntN(3) == 0 {
				c.readers = append(c.readers, v)
			}
		}
		there := func(stored int) (is []bool, width int) {
			is = make([]bool, len(values))
			for i, v := range values {
				if is[i] = stored>>i&1 == 1; is[i] {
					width += v.Width
					continue
				}
				is[i] = c.made[v]
				for _, a := range c.of[v] {
					is[i] = is[i] && is[a.ID]
				}
			}
			for _, v := range c.readers {
				if !is[v.ID] {
					return nil, 0
				}
			}
			return is, width
		}
		again := func(stored int) (remade int) { // what readers need that is not stored
			var need func(v *Value)
			need = func(v *Value) {
				if bit := 1 << v.ID; stored&bit == 0 && remade&bit == 0 {
					remade |= bit
					for _, a := range c.of[v] {
						need(a)
					}
				}
			}
			for _, v := range c.readers {
				need(v)
			}
			return remade
		}
		got := 0
		for v := range c.least() {
			got |= 1 << v.ID
		}
		is, width := there(got)
		if is == nil {
			t.Fatalf("readers lack something where %b is stored", got)
		}
		for other := range 1 << len(values) {
			is, least := there(other)
			switch {
			case is == nil:
			case least < width:
				t.Fatalf("%b, of width %d, is stored; %b takes %d", got, width, other, least)
			case least == width && again(got)&^again(other) != 0:
				t.Fatalf("%d values are made again where %b is stored; not all of them where %b is",
					bits.OnesCount(uint(again(got))), got, other)
			}
		}
	}
}
