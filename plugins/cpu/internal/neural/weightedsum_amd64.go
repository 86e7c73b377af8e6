package neural

import "golang.org/x/sys/cpu"

//go:noescape
func weightedSumAVX512(out, p *float32, index *uint32, scale *float32, n, width, stride, scaleStride int)

//go:noescape
func weightedSumAVX2(out, p *float32, index *uint32, scale *float32, n, width, stride, scaleStride int)

// tailMasks are masks of the first 0 to 8 of 8 numbers.
//
//nolint:unused // the assembly reads it
var tailMasks = func() (masks [9][8]uint32) {
	for n := range masks {
		for i := range n {
			masks[n][i] = 1<<32 - 1
		}
	}
	return masks
}()

// vectorSum is the kernel for this processor; nil: there is none.
var vectorSum = func() rowKernel {
	switch {
	case cpu.X86.HasAVX512F:
		return weightedSumAVX512
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return weightedSumAVX2
	}
	return nil
}()
