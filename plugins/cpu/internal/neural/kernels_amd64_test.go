package neural

import "golang.org/x/sys/cpu"

func vectorKernels() map[string]rowKernel {
	all := map[string]rowKernel{}
	if cpu.X86.HasAVX512F {
		all["AVX-512"] = weightedSumAVX512
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all["AVX2"] = weightedSumAVX2
	}
	return all
}
