package cut

import "github.com/penstock-db/penstock/formats/chunk"

// CutSums divides the lists of a whole chunk at multiples of chunk.SumEdges into selections of at most so many Bytes,
// and so many more an edge. There must be room for chunk.SumEdges edges, each a list of its own.
func (s Selection) CutSums(bytes, more int) []Selection {
	var cut []Selection
	piece, sum := s.nothing(), s.nothing()
	end := func() {
		if piece.edges > 0 && piece.Bytes()+sum.Bytes()+more*(piece.edges+sum.edges) > bytes {
			cut, piece = append(cut, piece), s.nothing()
		}
		piece.extend(sum)
		sum.lists, sum.edges = sum.lists[:0], 0
	}
	for _, l := range s.lists {
		for room := int32(chunk.SumEdges - sum.edges); l.to-l.from >= room; room = chunk.SumEdges {
			sum.push(list{l.vertex, l.from, l.from + room})
			l.from += room
			end()
		}
		if l.from < l.to {
			sum.push(l)
		}
	}
	end()
	if piece.edges > 0 {
		cut = append(cut, piece)
	}
	return cut
}

// extend adds lists that follow; the first may be the rest of the last one.
func (s *Selection) extend(next Selection) {
	s.edges += next.edges
	if n := len(s.lists); n > 0 && len(next.lists) > 0 && s.lists[n-1].to == next.lists[0].from &&
		s.lists[n-1].vertex == next.lists[0].vertex {
		s.lists[n-1].to = next.lists[0].to
		next.lists = next.lists[1:]
	}
	s.lists = append(s.lists, next.lists...)
}
