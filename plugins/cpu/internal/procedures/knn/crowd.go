package knn

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// crowd compares points with each other, for one worker: 32 with 32 at a time.
type crowd struct {
	space  *space
	lists  *lists
	panels []float32
	least  [][vector.Abreast]float32 // how near others must be to each
	near   vector.Square
	found  [vector.Abreast]uint32
	enter  func(l *lists, p uint32, e entry) // (*lists).enter, where nobody else has these points, or offer
}

func crowdBytes(width, most int) uint64 {
	return (uint64(most)+vector.Abreast)*4*(uint64(width)+1) + 8<<10
}

// newCrowd has room for so many.
func newCrowd(s *space, l *lists, most int, enter func(l *lists, p uint32, e entry)) *crowd {
	panels := (most + vector.Abreast - 1) / vector.Abreast
	return &crowd{space: s, lists: l, panels: make([]float32, panels*s.panelNumbers()),
		least: make([][vector.Abreast]float32, panels), enter: enter}
}

// meet compares the first so many of some points with all that stand behind them, and offers both to each other. None
// is there twice.
func (c *crowd) meet(all []uint32, first int) {
	for i := 0; i*vector.Abreast < len(all); i++ {
		some := panelOf(all, i)
		c.space.panel(c.panel(i), some)
		for k := range c.least[i] {
			c.least[i][k] = float32(math.Inf(1))
		}
		for k, p := range some {
			c.least[i][k] = c.lists.least(p)
		}
	}
	for i := 0; i*vector.Abreast < first; i++ {
		rows := panelOf(all[:first], i)
		for j := i; j*vector.Abreast < len(all); j++ {
			columns := panelOf(all, j)
			c.space.nearness(&c.near, c.panel(i), c.panel(j), len(rows))
			c.near.Sift(&c.found, len(rows), &c.least[i], &c.least[j])
			for r, p := range rows {
				found := c.found[r] & lowest(len(columns))
				if i == j {
					found &^= lowest(r + 1)
				}
				for ; found != 0; found &= found - 1 {
					k := bits.TrailingZeros32(found)
					near := c.near[r*vector.Abreast+k]
					c.offer(p, columns[k], near, &c.least[i][r])
					c.offer(columns[k], p, near, &c.least[j][k])
				}
			}
		}
	}
}

func (c *crowd) panel(i int) []float32 {
	return c.panels[i*c.space.panelNumbers():][:c.space.panelNumbers()]
}

func panelOf(all []uint32, i int) []uint32 {
	return all[i*vector.Abreast : min(len(all), (i+1)*vector.Abreast)]
}

// offer offers q to p, and keeps how near others must be to p from then on.
func (c *crowd) offer(p, q uint32, near float32, least *float32) {
	if near < *least {
		return
	}
	if *least = c.lists.least(p); near >= *least {
		c.enter(c.lists, p, newEntry(near, q))
	}
}
