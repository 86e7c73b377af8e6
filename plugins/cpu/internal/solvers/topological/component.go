package topological

import "context"

// component corrects what the vertices of a component hold, first come, first served, until no
// walk within it is better (Bellman 1958, Moore 1959). It looks for a cycle among the last
// senders of all whenever it has corrected as many as there are, which takes as long
// (Cherkassky and Goldberg, "Negative-cycle detection algorithms", 1999).
func (o *order) component(ctx context.Context, some []uint32) (cycle []uint32, ended bool) {
	q := queue{ring: o.search.Path[:len(some)], in: o.queued}
	defer q.empty()
	from := senders{by: o.search.Done[:o.p.N], mark: o.search.At[:o.p.N]}
	keys, rank := o.p.Acc.Keys, o.search.Rank
	for _, v := range some {
		if from.by[v] = none; keys[v] != o.nothing {
			q.push(v)
		}
	}
	for corrected, looks := 0, 0; q.count > 0; {
		v := q.pop()
		o.send(v, func(u uint32, key int64) {
			if key < keys[u] && rank[u] == rank[v] {
				keys[u], from.by[u] = key, int32(v)
				corrected++
				q.push(u)
			}
		})
		if corrected < len(some) {
			continue
		}
		if cycle := from.cycle(some, o.gains); cycle != nil {
			return cycle, true
		}
		if corrected, looks = 0, looks+1; looks > o.p.N || ctx.Err() != nil {
			return nil, false
		}
	}
	return nil, true
}

// queue is vertices, each at most once.
type queue struct {
	ring        []uint32
	in          []uint64 // as a set
	head, count int
}

func (q *queue) push(v uint32) {
	bit := uint64(1) << (v % 64)
	if q.in[v/64]&bit != 0 {
		return
	}
	q.in[v/64] |= bit
	q.ring[(q.head+q.count)%len(q.ring)] = v
	q.count++
}

func (q *queue) pop() uint32 {
	v := q.ring[q.head]
	q.in[v/64] &^= 1 << (v % 64)
	q.head = (q.head + 1) % len(q.ring)
	q.count--
	return v
}

func (q *queue) empty() {
	for q.count > 0 {
		q.pop()
	}
}
