package adam

import "golang.org/x/sys/cpu"

// hasKernel says whether the processor has what the kernel is made of.
var hasKernel = cpu.X86.HasAVX2
