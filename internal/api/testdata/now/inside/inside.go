// Package inside is not public.
package inside

// Stove is handed out.
type Stove struct{}

// Pan is not.
type Pan struct{}

// Problem is public by an alias.
type Problem struct{ Where string }

func (p *Problem) Error() string { return p.Where }
