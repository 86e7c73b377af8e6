package negativecycle

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
