package steiner

// queue is a binary heap of vertices, none twice, whose places change as they get better.
type queue struct {
	before func(v, u uint32) bool
	heap   []uint32
	places []uint32 // of each vertex, where it is in the heap, from 1; 0: it is not
}

func (q *queue) len() int { return len(q.heap) }

// push adds v, or moves it up where it is there already.
func (q *queue) push(v uint32) {
	if q.places[v] == 0 {
		q.heap = append(q.heap, v)
		q.places[v] = uint32(len(q.heap))
	}
	at := int(q.places[v]) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if !q.before(v, q.heap[parent]) {
			break
		}
		q.set(at, q.heap[parent])
		at = parent
	}
	q.set(at, v)
}

// pop takes the first out.
func (q *queue) pop() uint32 {
	first, last := q.heap[0], q.heap[len(q.heap)-1]
	q.heap = q.heap[:len(q.heap)-1]
	q.places[first] = 0
	at := 0
	for len(q.heap) > 0 {
		child := 2*at + 1
		if child+1 < len(q.heap) && q.before(q.heap[child+1], q.heap[child]) {
			child++
		}
		if child >= len(q.heap) || !q.before(q.heap[child], last) {
			q.set(at, last)
			break
		}
		q.set(at, q.heap[child])
		at = child
	}
	return first
}

func (q *queue) set(at int, v uint32) { q.heap[at], q.places[v] = v, uint32(at+1) }
