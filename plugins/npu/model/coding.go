package model

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// coding writes a lane's messages as rows of bytes, and reads accumulators from what comes of them.
type coding interface {
	// rows is how many it takes; at most so many.
	rows(most int) int
	encode(row func(k int) []byte)
	// wants tells whether anything that might come of what was encoded matters to targets from one to another.
	wants(from, to int) bool
	// decode reads the sums, each of edges that count for so many; it tells whether there is more to encode.
	decode(sums func(k int, do func(from int, sums []int32, edges int64))) (more bool)
}

// send packs the rows of as many lanes as there is room for into each multiplication.
func (c *counter) send(ctx context.Context, lanes []*sending) error {
	var queue []coding
	for _, l := range lanes {
		queue = append(queue, c.coding(l))
	}
	for len(queue) > 0 {
		more, err := c.pass(ctx, &queue)
		if err != nil {
			return err
		}
		queue = append(queue, more...)
	}
	return nil
}

// pass takes codings from the front of the queue, and returns those that need another pass.
func (c *counter) pass(ctx context.Context, queue *[]coding) (more []coding, err error) {
	var first []int // row of each coding that takes part
	used := 0
	for _, code := range *queue {
		count := code.rows(mostRows)
		if used+count > mostRows {
			break
		}
		first = append(first, used)
		used += count
	}
	now := (*queue)[:len(first)]
	*queue = (*queue)[len(first):]
	if err := c.room(used); err != nil {
		return nil, err
	}
	for i, code := range now {
		code.encode(func(k int) []byte { return c.row(first[i] + k) })
	}
	for _, b := range c.blocks {
		b.wanted = slices.ContainsFunc(now, func(code coding) bool { return code.wants(b.from, b.to) })
	}
	if used > 0 {
		err = c.multiply(ctx, used)
	}
	for i, code := range now {
		if err == nil && code.decode(func(k int, do func(int, []int32, int64)) { c.eachSum(first[i]+k, do) }) {
			more = append(more, code)
		}
	}
	return more, err
}

// coding chooses how the messages of a lane are written.
func (c *counter) coding(l *sending) coding {
	reduce := c.program.Reduce
	switch {
	case reduce != algorithms.Sum:
		return newLevels(reduce, l)
	case l.messages.Floats != nil:
		return newDigits(l)
	}
	return newWords(l)
}
