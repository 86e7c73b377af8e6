package lda

import "unsafe"

//go:generate go run -modfile=../../cpu/internal/vector/asm/avo.mod asm/main.go -out kernels_amd64.s -stubs kernels_amd64.go -pkg lda

// choose draws the topic of a token of a word that has these topics, old among them, which the token had. It is not
// counted any more. By u from 0 to 1 that is one of the list, weighted by how many tokens have it times its weight, or
// with a weight of rest none of them. It says where old is in the list, where the one drawn is, or −1, and what those
// of the list add up to. Sums are in another order where there is a kernel, so that the last bits differ from one
// processor to another.
func choose(of list, weights, products []float32, old uint16, u, rest float32) (from, to int, own float32) {
	if kernel {
		// Behind the entries are those of none, of a topic behind all others.
		groups := (len(of) + group - 1) / group
		_, _ = products[groups*group-1], of[:groups*group]
		a, b, own := chooseAVX2(&of[0].topic, groups, unsafe.SliceData(weights), unsafe.SliceData(products), int32(old),
			u, rest)
		// Up to an entry without weight more may add up than up to the one before, by a bit: that one is meant.
		for to = min(int(b), len(of)-1); to > 0 && products[to] == 0; to-- {
		}
		return int(a), to, own
	}
	products = products[:len(of)]
	for i, e := range of {
		many := e.many
		if e.topic == int32(old) {
			from = i
			many--
		}
		own += float32(many) * weights[e.topic]
		products[i] = own
	}
	at := u * (own + rest)
	if at < own {
		for i, x := range products {
			if at < x {
				return from, i, own
			}
		}
	}
	return from, -1, own
}
