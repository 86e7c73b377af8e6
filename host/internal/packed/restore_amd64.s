#include "textflag.h"

// func restoreAVX(block *[4096]byte, from *stored, shuffles *[256][16]byte, ends *[256][4]uint8, signs bool) int
TEXT ·restoreAVX(SB), NOSPLIT, $0-48
	MOVQ    block+0(FP), DI
	MOVQ    from+8(FP), SI         // control bytes
	MOVQ    shuffles+16(FP), R8
	MOVQ    ends+24(FP), R9
	MOVBLZX signs+32(FP), R10
	LEAQ    256(SI), DX            // differences
	MOVQ    DX, R11
	MOVQ    DX, R12                // the end of control bytes
	VPXOR   X7, X7, X7             // the last word, four times

four:
	MOVBLZX (SI), AX
	INCQ    SI
	VMOVDQU (DX), X0
	MOVBLZX 3(R9)(AX*4), CX
	ADDQ    CX, DX
	SHLQ    $4, AX
	VPSHUFB (R8)(AX*1), X0, X0
	TESTL   R10, R10
	JZ      sum
	VPSLLD  $31, X0, X1            // the sign, all over: x>>1 ^ -(x&1)
	VPSRAD  $31, X1, X1
	VPSRLD  $1, X0, X0
	VPXOR   X1, X0, X0

sum:
	VPSLLDQ $4, X0, X1
	VPADDD  X1, X0, X0
	VPSLLDQ $8, X0, X1
	VPADDD  X1, X0, X0
	VPADDD  X7, X0, X0
	VMOVDQU X0, (DI)
	ADDQ    $16, DI
	VPSHUFD $0xff, X0, X7
	CMPQ    SI, R12
	JNE     four
	SUBQ    R11, DX
	MOVQ    DX, ret+40(FP)
	RET
