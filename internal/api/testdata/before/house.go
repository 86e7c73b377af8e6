// Package house has an API.
package house

// Doors are counted.
const Doors = 2

// House has fields and methods.
type House struct {
	Windows int
	attic   bool
	Name    string
}

// Open has a parameter.
func (h *House) Open(door int) error { return nil }

func (h *House) lock() {}
