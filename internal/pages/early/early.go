// Package early prepares a program for little memory before its other packages are initialized, which is when most of
// it is touched for the first time. A main package imports it for that.
//
// Of packages that are ready, Go initializes the first by its path. All that this one needs is package syscall, so it
// comes right after that, before package os, and before all that need more.
package early

import "github.com/penstock-db/penstock/internal/pages/scarce"

func init() { scarce.Prepare() }
