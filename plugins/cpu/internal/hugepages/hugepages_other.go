//go:build !linux

package hugepages

// adviseHuge does nothing where there is no way to ask.
func advise([]byte) {}
