package communities

import "context"

const mergingBytes = 8 + 4 + 4 + 4 + 4

// groups are the members of each number below count, ascending.
type groups struct {
	starts  []uint32
	members []uint32
}

func (g groups) of(c int) []uint32 { return g.members[g.starts[c]:g.starts[c+1]] }

// grouped sorts vertices by their numbers.
func grouped(number []uint32, count int) groups {
	g := groups{starts: make([]uint32, count+1), members: make([]uint32, len(number))}
	for _, c := range number {
		g.starts[c+1]++
	}
	for c := range count {
		g.starts[c+1] += g.starts[c]
	}
	next := make([]uint32, count)
	copy(next, g.starts)
	for v, c := range number {
		g.members[next[c]] = uint32(v)
		next[c]++
	}
	return g
}

// renumber numbers what there is from 0 on, in the order of first vertices, in place; it returns how many there are.
func renumber(number []uint32) int {
	numbers := make([]uint32, len(number))
	count := uint32(0)
	for v, c := range number {
		if numbers[c] == 0 {
			count++
			numbers[c] = count
		}
		number[v] = numbers[c] - 1
	}
	return int(count)
}

// merge makes the network whose vertices are the groups of vertices with the same number.
func (r *run) merge(ctx context.Context, net *network, number []uint32, count int) (*network, error) {
	g := grouped(number, count)
	to := r.spare()
	m := &network{strength: make([]int64, count), total: net.total,
		lists: lists{to.starts[:count], to.ends[:count], to.neighbors, to.weights}}
	end := uint64(0)
	for c := range count {
		m.starts[c] = end
		for _, v := range g.of(c) {
			end += net.ends[v] - net.starts[v]
			m.strength[c] += net.strength[v]
		}
	}
	const few = 16
	return m, r.Pool.Run(ctx, (count+few-1)/few, func(worker, task int) {
		for c := task * few; c < min((task+1)*few, count); c++ {
			m.collect(r.tallies[worker], net, number, g.of(c), uint32(c))
		}
	})
}

// collect makes the list of c out of those of its members.
func (m *network) collect(t *tally, net *network, number, members []uint32, c uint32) {
	for _, v := range members {
		neighbors, weights := net.of(v)
		for i, u := range neighbors {
			if number[u] != c {
				t.add(number[u], weights[i])
			}
		}
	}
	at := m.starts[c]
	for _, d := range t.met {
		m.neighbors[at], m.weights[at] = d, t.weights[d]
		at++
	}
	m.ends[c] = at
	t.clear()
}
