package mf

import "golang.org/x/sys/cpu"

// What kernels there are, by how many vectors factors are.
var (
	kernels512 = []kernel{along1AVX512, along2AVX512, along3AVX512, along4AVX512}
	kernels2   = []kernel{along1AVX2, along2AVX2, along3AVX2, along4AVX2}
)

// level is what instructions are used: 2 AVX-512, 1 AVX2, 0 neither.
var level = detected

var detected = func() int {
	has := cpu.X86
	switch {
	case !has.HasAVX2 || !has.HasFMA:
		return 0
	case has.HasAVX512F && has.HasAVX512VL && has.HasBMI2:
		return 2
	}
	return 1
}()

// kernelFor is that for so many factors; nil: there is none.
func kernelFor(rank int) kernel {
	all, lanes := [][]kernel{nil, kernels2, kernels512}[level], 8*level
	if lanes == 0 || rank > lanes*len(all) {
		return nil
	}
	return all[(rank-1)/lanes]
}
