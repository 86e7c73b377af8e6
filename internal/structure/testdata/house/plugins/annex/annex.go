// Package annex is a module of its own, and needs cgo.
package annex

// #include <stdlib.h>
import "C"

// Wide has a field too many.
type Wide struct {
	a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t C.int
	one                                                        C.size_t
}
