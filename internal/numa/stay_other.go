//go:build !linux

package numa

// Stay does nothing: only Linux tells of nodes.
func Stay([]int) {}
