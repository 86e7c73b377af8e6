package schedule

import (
	"cmp"
	"slices"
)

// Queue is Scaph's k-level priority queues over the chunks that are on the device: one that
// has been gone through i times is in PQ(i+1), and from a lower queue comes first. Within a
// queue it is the one of the highest value, which changes all the time: it is looked up,
// not kept in order, as there are never more chunks than slots. Zheng et al., ATC'20,
// section 4.2.
type Queue struct {
	// Levels is k. In the paper it is the number of iterations, which is not known beforehand: it is as large as it may
	// be, so that no chunk is beyond the last queue, unless the user gives a smaller one. Two things differ from the
	// paper. A chunk begins each iteration in PQ1 (Restart), for what it was gone through before says nothing of the
	// vertices that have become active since. And where the link would stand still because every slot holds a chunk of
	// value, those that have been gone through once may leave (Evict within 1): a device that has less than it could
	// have is worse than one that goes through less.
	Levels int
	held   []queued
}

type queued struct{ chunk, level int }

// Value is how many edges of a chunk active vertices have now.
type Value func(chunk int) uint64

// Add puts a chunk that has arrived into PQ1.
func (q *Queue) Add(chunk int) { q.held = append(q.held, queued{chunk, 1}) }

// Restart puts all chunks into PQ1: an iteration begins.
func (q *Queue) Restart() {
	for i := range q.held {
		q.held[i].level = 1
	}
}

// Next are chunks to go through now, and puts them into the next queue: those of the lowest
// of PQ1 to PQ(within) that has any of value, the most valuable first, until they have
// enough edges together.
func (q *Queue) Next(value Value, within int, enough uint64) (chunks []int) {
	first := q.lowest(value, min(within, q.Levels))
	slices.SortStableFunc(first, func(a, b valued) int { return cmp.Compare(b.value, a.value) })
	for edges := uint64(0); edges < enough && len(first) > 0; first = first[1:] {
		first[0].level++
		chunks = append(chunks, first[0].chunk)
		edges += first[0].value
	}
	return chunks
}

// valued is a chunk in its queue, and its value.
type valued struct {
	*queued
	value uint64
}

// lowest are the chunks of value of the lowest queue that has any. It looks at chunks, not at queues, of which there
// may be any number.
func (q *Queue) lowest(value Value, within int) (all []valued) {
	least := within
	for i := range q.held {
		h := &q.held[i]
		if h.level > least {
			continue
		}
		now := value(h.chunk)
		if now == 0 {
			continue
		}
		if h.level < least {
			all, least = nil, h.level
		}
		all = append(all, valued{h, now})
	}
	return all
}

// Evict takes out a chunk that may leave the device: of those of no value, and those that
// are beyond PQ(within), the least valuable.
func (q *Queue) Evict(value Value, within int) (chunk int, ok bool) {
	least, v := -1, uint64(0)
	for i, h := range q.held {
		if now := value(h.chunk); (now == 0 || h.level > min(within, q.Levels)) && (least < 0 || now < v) {
			least, v = i, now
		}
	}
	if least < 0 {
		return 0, false
	}
	chunk = q.held[least].chunk
	q.held = append(q.held[:least], q.held[least+1:]...)
	return chunk, true
}
