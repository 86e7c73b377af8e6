package cut

import "sort"

// Cut divides the lists into selections of at most so many Bytes, and so many more an edge
// for who needs them. There must be room for one edge. Only a list that is larger than that by
// itself is divided.
func (s Selection) Cut(bytes, more int) []Selection {
	var cut []Selection
	piece := s.nothing()
	each := s.edgeBytes + more
	room := max(0, bytes/(listBytes+each)) // for lists, each of which has an edge
	end := func() {
		if piece.edges > 0 {
			cut, piece = append(cut, piece), s.nothing()
		}
	}
	for i, l := range s.lists {
		if piece.lists == nil {
			piece.lists = make([]list, 0, min(room, len(s.lists)-i))
		}
		if piece.Bytes()+more*piece.edges+listBytes+each*int(l.to-l.from) > bytes {
			end()
		}
		for most := int32(max(1, (bytes-listBytes)/each)); l.to-l.from > most; l.from += most {
			piece.push(list{l.vertex, l.from, l.from + most})
			end()
		}
		piece.push(l)
	}
	end()
	return cut
}

// At divides the lists in two: those of vertices below one of the graph, and the rest.
func (s Selection) At(vertex uint64) (before, from Selection) {
	return s.SplitAt(sort.Search(len(s.lists), func(i int) bool { return s.vertex(i) >= vertex }))
}

// SplitAt divides the lists in two: the first n, of as many at least, and the rest.
func (s Selection) SplitAt(n int) (first, rest Selection) {
	edges := 0
	for _, l := range s.lists[:n] {
		edges += int(l.to - l.from)
	}
	first, rest = s, s
	first.lists, first.edges = s.lists[:n:n], edges
	rest.lists, rest.edges = s.lists[n:], s.edges-edges
	return first, rest
}
