package house

import "example.com/house/roof"

type door struct{ house *House }

func (d *door) open(h *House) { d.house = h }

// Opener is an interface, which has methods, too.
type Opener interface {
	Open(all bool, first, last int)
}

// Roof is an alias, which declares no type.
type Roof = roof.Roof
