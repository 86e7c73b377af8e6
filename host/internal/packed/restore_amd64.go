package packed

import "golang.org/x/sys/cpu"

// restore makes words of differences, and tells where the differences end.
func restore(block *[blockBytes]byte, from *stored, signs bool) (end int) {
	if hasKernel {
		return controls + restoreAVX(block, from, &shuffles, &ends, signs)
	}
	return restorePlain(block, from, signs)
}

// hasKernel says whether the processor has what restoreAVX is made of.
var hasKernel = cpu.X86.HasAVX

// shuffles are, by control byte, which bytes the four differences have; 128 and more: a byte of 0.
var shuffles = func() (of [256][16]byte) {
	for control := range of {
		at := byte(0)
		for i := range of[control] {
			of[control][i] = 0x80
			if k := i / 4; i%4 <= control>>(2*k)&3 {
				of[control][i] = at
				at++
			}
		}
	}
	return of
}()

// restoreAVX is restore, four words at a time. It tells how many bytes the differences have.
//
//go:noescape
func restoreAVX(block *[blockBytes]byte, from *stored, shuffles *[256][16]byte, ends *[256][4]uint8, signs bool) int
