package schedule

// Queue is Scaph's k-level priority queues over the chunks that are on the device: one that
// has been gone through i times is in PQ(i+1), and from a lower queue comes first. Within a
// queue it is the one of the highest value, which changes all the time: it is looked up,
// not kept in order, as there are never more chunks than slots. Zheng et al., ATC'20,
// section 4.2.
type Queue struct {
	Levels int // k
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

// Next is the chunk to go through now, of PQ1 to PQ(within), and puts it into the next
// queue. Chunks of no value stay where they are.
func (q *Queue) Next(value Value, within int) (chunk int, ok bool) {
	best, most := -1, uint64(0)
	for i, h := range q.held {
		if h.level > min(within, q.Levels) || best >= 0 && h.level > q.held[best].level {
			continue
		}
		v := value(h.chunk)
		if v > 0 && (best < 0 || h.level < q.held[best].level || v > most) {
			best, most = i, v
		}
	}
	if best < 0 {
		return 0, false
	}
	q.held[best].level++
	return q.held[best].chunk, true
}

// Evict takes out a chunk that may leave the device: one of no value, else one that has
// left PQk, the least valuable of those.
func (q *Queue) Evict(value Value) (chunk int, ok bool) {
	least, v := -1, uint64(0)
	for i, h := range q.held {
		if now := value(h.chunk); (now == 0 || h.level > q.Levels) && (least < 0 || now < v) {
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
