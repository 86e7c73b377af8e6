package triangles

// kept is the oriented lists of consecutive ranks, in memory that is taken once:
//
//	list of first │ list of first+1 │ …            … │ end of the second │ end of the first │ 0
type kept struct {
	first  int // rank
	count  int // ranks
	end    uint32
	memory []link
}

func newKept(bytes uint64) *kept {
	k := &kept{memory: make([]link, min(bytes/4, 1<<32-1))}
	k.clear(0)
	return k
}

// clear forgets all lists: first is the next rank.
func (k *kept) clear(first int) {
	k.first, k.count, k.end = first, 0, 0
	k.memory[len(k.memory)-1] = 0
}

// add keeps the list of the next rank, if there is room.
func (k *kept) add(list []uint32) bool {
	if int(k.end)+len(list)+k.count+2 > len(k.memory) {
		return false
	}
	for i, l := range list {
		k.memory[int(k.end)+i] = link(l)
	}
	k.end += uint32(len(list))
	k.count++
	k.memory[len(k.memory)-1-k.count] = link(k.end)
	return true
}

// next is the rank after those whose lists are kept.
func (k *kept) next() int { return k.first + k.count }

// has tells whether the list of a rank is kept.
func (k *kept) has(rank int) bool { return k.first <= rank && rank < k.next() }

// list is that of a rank.
func (k *kept) list(rank int) []link {
	at := len(k.memory) - 1 - (rank - k.first)
	return k.memory[k.memory[at]:k.memory[at-1]]
}
