//go:build !linux

package cpu

// adviseHuge does nothing where there is no way to ask.
func adviseHuge([]byte) {}
