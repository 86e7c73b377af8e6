package cut

// Cut divides the lists into selections of at most so many Bytes, and so many more an edge
// for who needs them. There must be room for one edge. Only a list that is larger than that by
// itself is divided.
func (s Selection) Cut(bytes, more int) []Selection {
	var cut []Selection
	piece := s.nothing()
	each := s.edgeBytes + more
	end := func() {
		if piece.edges > 0 {
			cut, piece = append(cut, piece), s.nothing()
		}
	}
	for _, l := range s.lists {
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

// Split divides the lists in two: as many of the first as take at most so many Bytes, and so
// many more an edge, and the rest.
func (s Selection) Split(bytes, more int) (fit, rest Selection) {
	n, edges, each := 0, 0, s.edgeBytes+more
	for n < len(s.lists) {
		all := edges + int(s.lists[n].to-s.lists[n].from)
		if listBytes*(n+1)+each*all > bytes {
			break
		}
		n, edges = n+1, all
	}
	return s.splitAt(n, edges)
}

// SplitAt divides the lists in two: the first n, of as many at least, and the rest.
func (s Selection) SplitAt(n int) (first, rest Selection) {
	edges := 0
	for _, l := range s.lists[:n] {
		edges += int(l.to - l.from)
	}
	return s.splitAt(n, edges)
}

// splitAt is SplitAt where the first n lists have so many edges.
func (s Selection) splitAt(n, edges int) (first, rest Selection) {
	first, rest = s, s
	first.lists, first.edges = s.lists[:n:n], edges
	rest.lists, rest.edges = s.lists[n:], s.edges-edges
	return first, rest
}
