#include "textflag.h"

// func prefetch(at unsafe.Pointer, bytes uintptr)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ at+0(FP), AX
	MOVQ bytes+8(FP), CX
	ADDQ AX, CX
	ANDQ $~63, AX

line:
	CMPQ AX, CX
	JCC  done
	PREFETCHT0 (AX)
	ADDQ $64, AX
	JMP  line

done:
	RET
