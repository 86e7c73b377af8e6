// Package inside is not public.
package inside

// Stove is handed out.
type Stove struct{}

// Pan is not.
type Pan struct{}
