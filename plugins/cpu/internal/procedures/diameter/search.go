package diameter

import "github.com/penstock-db/penstock/plugins/cpu/internal/csr"

// search is one breadth-first.
type search struct {
	distance []int32  // -1: not found
	queue    []uint32 // what was found, nearest first
}

// searchBytes is what a search takes of a vertex.
const searchBytes = 8

func newSearch(n int) search {
	s := search{distance: make([]int32, n), queue: make([]uint32, 0, n)}
	for v := range s.distance {
		s.distance[v] = -1
	}
	return s
}

// run forgets what the last search has found, and goes from v. It returns how many edges it has looked at.
func (s *search) run(sides []csr.Index, v uint32) (edges uint64) {
	for _, u := range s.queue {
		s.distance[u] = -1
	}
	s.queue = append(s.queue[:0], v)
	s.distance[v] = 0
	for at := 0; at < len(s.queue); at++ {
		u := s.queue[at]
		next := s.distance[u] + 1
		for _, side := range sides {
			for _, c := range side.Of(int(u)) {
				list, base := c.List(int(u)), uint32(c.Cols.Base)
				edges += uint64(len(list))
				for _, local := range list {
					if w := base + local; s.distance[w] < 0 {
						s.distance[w] = next
						s.queue = append(s.queue, w)
					}
				}
			}
		}
	}
	return edges
}

// farthest is the last vertex found, and how far it is.
func (s *search) farthest() (v uint32, distance int32) {
	v = s.queue[len(s.queue)-1]
	return v, s.distance[v]
}
