//go:build !linux

package lsm

// extent is where the data of a file ends; this system cannot tell.
func extent(_ string, size int) int { return size }
