// Package cellar is private.
package cellar

// Cellar has no fields.
type Cellar struct{}

// Dig has no parameters.
func (Cellar) Dig() {}
