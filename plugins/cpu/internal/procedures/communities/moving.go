package communities

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// moving has the vertices of a network move to the communities that gain most, in rounds over those that are due: at
// first all, then those a neighbor of which has moved to another community than theirs.
type moving struct {
	*run
	net       *network
	expected  float64
	community []uint32 // of each vertex
	strength  []int64  // of each community
	size      []uint32 // of each community: vertices
	empty     []uint32 // communities without vertices
	order     []uint32 // of vertices
	round     []uint32 // those that are due in it, in order
	due       []uint64 // set of those of the next round
	wishes    []wish   // of the vertices of a batch
	place     []uint32 // of a vertex with a wish, in the batch, from 1 on; else 0
	gained    float64  // of modularity, in a round
	all       float64  // and in all rounds
}

// wish is where a vertex would go, or none or apart, and the weights between it and the communities that it leaves and
// goes to.
type wish struct {
	to            uint32
	within, there int64
}

const (
	movingBytes = 4 + 8 + 4 + 4 + 4 + 4 + 4 + 1 + wishBytes
	wishBytes   = 24
	none, apart = ^uint32(0), ^uint32(0) - 1
	// least is the part of its strength that a vertex must gain to move, so that rounding makes none go to and fro.
	least = 1.0 / (1 << 40)
)

// newMoving begins with communities, which have numbers below that of vertices.
func (r *run) newMoving(net *network, community []uint32, seed uint64) *moving {
	n := net.vertices()
	m := &moving{run: r, net: net, expected: net.expected(r.resolution), community: community,
		strength: make([]int64, n), size: make([]uint32, n), order: make([]uint32, n), round: make([]uint32, 0, n),
		due: make([]uint64, bitmap.Words(n)), place: make([]uint32, n)}
	m.wishes = make([]wish, min(max(m.batchSize(), 1), n))
	for v, c := range community {
		m.strength[c] += net.strength[v]
		m.size[c]++
		m.order[v] = uint32(v)
	}
	for c := n - 1; c >= 0; c-- {
		if m.size[c] == 0 {
			m.empty = append(m.empty, uint32(c))
		}
	}
	random := rand.New(rand.NewPCG(r.seed, seed))
	random.Shuffle(n, func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	bitmap.Fill(m.due, n)
	return m
}

// move goes on until none is due, or for so many rounds, or until one gains no more than tolerance. It tells whether
// any has moved.
func (m *moving) move(ctx context.Context, rounds int64, tolerance float64) (moved bool, err error) {
	for range rounds {
		m.round, m.gained = m.round[:0], 0
		for _, v := range m.order {
			if bitmap.Has(m.due, int(v)) {
				m.round = append(m.round, v)
			}
		}
		if len(m.round) == 0 {
			break
		}
		size := m.batchSize()
		for from := 0; from < len(m.round) && err == nil; from += size {
			var some bool
			some, err = m.step(ctx, m.round[from:min(from+size, len(m.round))])
			moved = moved || some
		}
		m.all += m.gained
		if err != nil || m.gained <= tolerance {
			break
		}
	}
	return moved, err
}

// batchSize is 1 where there is too little to do for several workers.
func (m *moving) batchSize() int {
	const small, batches = 1 << 13, 64
	switch {
	case m.batch > 0:
		return m.batch
	case m.net.vertices() < small:
		return 1
	}
	return m.net.vertices() / batches
}

// step moves vertices of a batch, by four looks at it.
func (m *moving) step(ctx context.Context, batch []uint32) (moved bool, err error) {
	if len(batch) == 1 {
		v := batch[0]
		m.due[v/64] &^= 1 << (v % 64)
		w := m.decide(m.tallies[0], v)
		if moved = w.to != none && m.settle(v, w); moved {
			m.alert(v)
		}
		return moved, nil
	}
	for _, v := range batch {
		m.due[v/64] &^= 1 << (v % 64)
	}
	if err := m.each(ctx, batch, func(worker, i int, v uint32) {
		if m.wishes[i] = m.decide(m.tallies[worker], v); m.wishes[i].to != none {
			m.place[v] = uint32(i + 1)
		}
	}); err != nil {
		return false, err
	}
	if err := m.each(ctx, batch, func(_, i int, v uint32) {
		if m.wishes[i].to != none && m.yields(v) {
			m.wishes[i].to = none
			m.set(v)
		}
	}); err != nil {
		return false, err
	}
	for i, v := range batch {
		m.place[v] = 0
		if m.wishes[i].to == none {
			continue
		}
		if !m.settle(v, m.wishes[i]) {
			m.wishes[i].to = none
			m.set(v)
			continue
		}
		moved = true
	}
	return moved, m.each(ctx, batch, func(_, i int, v uint32) {
		if m.wishes[i].to != none {
			m.alert(v)
		}
	})
}

// each calls do for the vertices of a batch.
func (m *moving) each(ctx context.Context, batch []uint32, do func(worker, i int, v uint32)) error {
	const few = 64
	return m.Pool.Run(ctx, (len(batch)+few-1)/few, func(worker, task int) {
		for i := task * few; i < min((task+1)*few, len(batch)); i++ {
			do(worker, i, batch[i])
		}
	})
}

// gain is what v has of being with so much weight in a community of so much strength without it.
func (m *moving) gain(v uint32, weight, strength int64) float64 {
	return float64(weight) - m.expected*float64(m.net.strength[v])*float64(strength)
}

// decide finds the community that v gains most in; of several, that of the least number.
func (m *moving) decide(t *tally, v uint32) wish {
	neighbors, weights := m.net.of(v)
	for i, u := range neighbors {
		t.add(m.community[u], weights[i])
	}
	own := m.community[v]
	w := wish{to: none, within: t.of(own)}
	most := m.gain(v, w.within, m.strength[own]-m.net.strength[v]) + least*float64(m.net.strength[v])
	if m.size[own] > 1 && most < 0 {
		w.to, most = apart, 0
	}
	for _, c := range t.met {
		if c == own {
			continue
		}
		if gain := m.gain(v, t.weights[c], m.strength[c]); gain > most || gain == most && c < w.to && w.to != none {
			w.to, w.there, most = c, t.weights[c], gain
		}
	}
	t.clear()
	return w
}

// yields tells whether a neighbor that comes before v would move, too.
func (m *moving) yields(v uint32) bool {
	neighbors, _ := m.net.of(v)
	for _, u := range neighbors {
		if at := m.place[u]; at > 0 && at < m.place[v] {
			return true
		}
	}
	return false
}

// settle moves v, if it still gains: none of its neighbors has moved since it was decided, but others may have.
func (m *moving) settle(v uint32, w wish) bool {
	own, to, k := m.community[v], w.to, m.net.strength[v]
	gain := -m.gain(v, w.within, m.strength[own]-k)
	switch {
	case to != apart:
		gain += m.gain(v, w.there, m.strength[to])
	case m.size[own] > 1:
		to = m.empty[len(m.empty)-1]
	}
	if gain <= least*float64(k) || to == apart {
		return false
	}
	m.strength[own] -= k
	m.strength[to] += k
	if m.size[own]--; m.size[own] == 0 {
		m.empty = append(m.empty, own)
	}
	if m.size[to]++; m.size[to] == 1 {
		m.empty = m.empty[:len(m.empty)-1]
	}
	m.community[v] = to
	m.gained += 2 * gain / float64(m.net.total)
	return true
}

// alert makes those neighbors of v due that are not in its community.
func (m *moving) alert(v uint32) {
	neighbors, _ := m.net.of(v)
	for _, u := range neighbors {
		if m.community[u] != m.community[v] {
			m.set(u)
		}
	}
}

// set makes v due.
func (m *moving) set(v uint32) {
	if word, bit := &m.due[v/64], uint64(1)<<(v%64); atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}
