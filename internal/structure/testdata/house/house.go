// Package house has a knot of two files, and a third file that both depend on.
package house

// House is used by door.go.
type House struct {
	doors []door
	Name  string
	*Roof
}

// Open depends on door.go.
func (h *House) Open(all bool, first, last int) {
	for _, d := range h.doors[first:last] {
		d.open(h)
	}
}

func (h House) open() {}
