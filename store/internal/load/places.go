package load

import (
	"slices"

	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
)

// places say which vertex has which dense id.
type places struct {
	ids    *idTable // by number
	count  uint64   // of vertices
	dense  []uint32 // by number: the dense id; nil: the number itself
	order  []uint32 // the inverse of dense
	loaded []uint32 // by dense id: the place in order of loading; nil: the dense id itself
}

// denseID is the dense id of a number.
func (p *places) denseID(number uint32) uint32 {
	if p.dense == nil {
		return number
	}
	return p.dense[number]
}

// number is the inverse of denseID.
func (p *places) number(dense uint64) uint32 {
	if p.order == nil {
		return uint32(dense)
	}
	return p.order[dense]
}

// userID is the user id of a dense id.
func (p *places) userID(dense uint64) manifest.UserID { return p.ids.at(p.number(dense)) }

// numbers are the numbers of all vertices, by dense id. The caller may change them.
func (p *places) numbers() []uint32 {
	if p.order == nil {
		return ordering.Identity(uint32(p.count))
	}
	return slices.Clone(p.order)
}

// byDense puts values by number in the order of dense ids; the others, of vertices
// that were not declared, are 0.
func (p *places) byDense(values []uint32) []uint32 {
	all := make([]uint32, p.count)
	for number, value := range values {
		all[p.denseID(uint32(number))] = value
	}
	return all
}

// permuted is the places after vertex order[i] got the dense id i, where before each had its place in the order of
// loading.
func (p *places) permuted(order []uint32) *places {
	numbers := order
	if p.order != nil {
		numbers = ordering.Pick(p.order, order)
	}
	inverse := ordering.Inverse(numbers, p.ids.len())
	return &places{ids: p.ids, count: p.count, order: numbers, dense: inverse, loaded: order}
}

// consecutive is true when the user ids are base, base+1, … in dense order.
func (p *places) consecutive() (base int64, ok bool) {
	if p.count == 0 {
		return 0, true
	}
	first := p.userID(0)
	for i := range p.count {
		if id := p.userID(i); id.Text != "" || id.N != first.N+int64(i) {
			return 0, false
		}
	}
	return first.N, first.Text == ""
}

// ascending is true when the user ids ascend in dense order.
func (p *places) ascending() bool {
	for i := uint64(1); i < p.count; i++ {
		if manifest.CompareIDs(p.userID(i-1), p.userID(i)) >= 0 {
			return false
		}
	}
	return true
}
