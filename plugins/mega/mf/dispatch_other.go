//go:build !amd64

package mf

var level, detected = 0, 0

// kernelFor is that for so many factors: there is none.
func kernelFor(int) kernel { return nil }
