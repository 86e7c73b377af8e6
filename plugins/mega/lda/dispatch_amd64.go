package lda

import "golang.org/x/sys/cpu"

// kernel says that chooseAVX2 is used.
var kernel = detected

var detected = cpu.X86.HasAVX2
