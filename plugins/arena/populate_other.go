//go:build !linux

package arena

// Populate does nothing: pages come when they are touched.
func (a *Arena) Populate(Range) {}

// Discard does nothing: the system writes pages to the arena's file when memory is short.
func (a *Arena) Discard(Range) {}
