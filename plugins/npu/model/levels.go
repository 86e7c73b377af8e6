package model

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// levels are messages of which each target wants the best. A row for each of the best values tells
// who sends it: the first that has come to a target is the target's. A breadth-first search sends
// one value; where there are many, the next follow in another pass, or later.
type levels struct {
	order order
	lane  *sending
	keys  []int64 // of the messages
	acc   []int64 // the keys that have arrived
	best  []int64 // the keys that are still to be encoded, each once, the best first
	now   int     // how many of them in this pass
}

// levelsAtOnce is how many rows cost hardly more than one.
const levelsAtOnce = 16

func newLevels(r algorithms.Reduce, l *sending) *levels {
	c := &levels{order: order{r}, lane: l}
	c.keys = c.order.keys(l.messages)
	c.best = distinct(c.keys)
	c.acc = slices.Repeat([]int64{worst}, len(c.keys))
	return c
}

// distinct are the keys of messages, each once, the best first. As a rule there are few of them.
func distinct(keys []int64) (best []int64) {
	for i, key := range keys {
		if key == worst {
			continue
		}
		if len(best) > 2*levelsAtOnce {
			best = append(best, keys[i:]...)
			slices.Sort(best)
			best = slices.Compact(best)
			at, _ := slices.BinarySearch(best, worst)
			return best[:at]
		}
		if at, found := slices.BinarySearch(best, key); !found {
			best = slices.Insert(best, at, key)
		}
	}
	return best
}

func (c *levels) rows(most int) int {
	if c.lane.Left != nil {
		most = min(most, levelsAtOnce)
	}
	c.now = min(len(c.best), most)
	return c.now
}

func (c *levels) encode(row func(k int) []byte) {
	rows := make([][]byte, c.now)
	for k := range rows {
		rows[k] = row(k)
		clear(rows[k])
	}
	for v, key := range c.keys {
		if c.now > 0 && key >= c.best[0] && key <= c.best[c.now-1] {
			k, _ := slices.BinarySearch(c.best[:c.now], key)
			rows[k][v] = 1
		}
	}
}

func (c *levels) wants(from, to int) bool {
	return c.now > 0 && c.order.betters(c.best[0], c.lane.Lane, from, to)
}

func (c *levels) decode(sums func(k int, do func(from int, sums []int32, edges int64))) (more bool) {
	for k, key := range c.best[:c.now] {
		sums(k, func(from int, sums []int32, _ int64) {
			acc := c.acc[from:][:len(sums)]
			for i, sum := range sums {
				if sum > 0 {
					acc[i] = min(acc[i], key)
				}
			}
		})
	}
	if more = len(c.best) > c.now; more && c.lane.Left != nil {
		c.leave(c.best[c.now-1])
		more = false
	}
	c.best = c.best[c.now:]
	if !more {
		for v, key := range c.acc {
			c.order.set(c.lane.Acc, v, key)
		}
	}
	return more
}

// leave leaves senders of worse values than last for later.
func (c *levels) leave(last int64) {
	for v, key := range c.keys {
		if key > last && key != worst {
			c.lane.Left[v/64] |= 1 << (v % 64)
		}
	}
}
