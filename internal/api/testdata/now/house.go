// Package house has an API.
package house

import (
	"io"

	"example.com/house/inside"
)

// Doors are counted.
const Doors = 3

// House has fields and methods.
type House struct {
	Windows int
	attic   inside.Pan
	Name    string
	io.Closer
}

// Open has another parameter.
func (h *House) Open(door string) error { return nil }

// Stoves hands a type out.
func (h House) Stoves() map[string][]*inside.Stove { return nil }

func (h *House) lock() {}

// Guest is an interface.
type Guest interface {
	Knock(times ...int)
	wait()
}

// Name is another name.
type Name = string

// Problem is another name of a type that is not public.
type Problem = inside.Problem

// Fault is what an alias has made public.
func Fault() *inside.Problem { return nil }

// Build is generic.
func Build[T any](with func(T)) *House { return nil }

// Street is a variable.
var Street []House
