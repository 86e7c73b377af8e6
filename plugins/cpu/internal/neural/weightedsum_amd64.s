#include "textflag.h"

// func weightedSumAVX512(out, p *float32, index *uint32, scale *float32, n, width, stride, scaleStride int)
TEXT ·weightedSumAVX512(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ p+8(FP), SI
	MOVQ index+16(FP), DX
	MOVQ n+32(FP), R8
	MOVQ width+40(FP), R11
	MOVQ stride+48(FP), R10
	SHLQ $2, R10
	MOVQ scaleStride+56(FP), R12
	SHLQ $2, R12
	MOVL $0x3f800000, AX
	VPBROADCASTD AX, Z4      // 1, where there are no scales

wide:
	CMPQ R11, $64
	JLT  narrow
	VMOVUPS (DI), Z0
	VMOVUPS 64(DI), Z1
	VMOVUPS 128(DI), Z2
	VMOVUPS 192(DI), Z3
	XORQ AX, AX
	MOVQ scale+24(FP), CX

wideRow:
	CMPQ AX, R8
	JGE  wideDone
	MOVQ AX, BX
	TESTQ DX, DX
	JZ   wideAt
	MOVL (DX)(AX*4), BX

wideAt:
	IMULQ R10, BX
	ADDQ SI, BX
	TESTQ CX, CX
	JZ   wideAdd
	VBROADCASTSS (CX), Z4
	ADDQ R12, CX

wideAdd:
	VFMADD231PS (BX), Z4, Z0
	VFMADD231PS 64(BX), Z4, Z1
	VFMADD231PS 128(BX), Z4, Z2
	VFMADD231PS 192(BX), Z4, Z3
	INCQ AX
	JMP  wideRow

wideDone:
	VMOVUPS Z0, (DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, 128(DI)
	VMOVUPS Z3, 192(DI)
	ADDQ $256, DI
	ADDQ $256, SI
	SUBQ $64, R11
	JMP  wide

narrow:
	TESTQ R11, R11
	JLE  end
	MOVQ $16, CX
	CMPQ R11, CX
	CMOVQLT R11, CX
	MOVQ $1, R13
	SHLQ CX, R13
	DECQ R13
	KMOVW R13, K1
	VMOVUPS.Z (DI), K1, Z0
	XORQ AX, AX
	MOVQ scale+24(FP), CX

narrowRow:
	CMPQ AX, R8
	JGE  narrowDone
	MOVQ AX, BX
	TESTQ DX, DX
	JZ   narrowAt
	MOVL (DX)(AX*4), BX

narrowAt:
	IMULQ R10, BX
	ADDQ SI, BX
	TESTQ CX, CX
	JZ   narrowAdd
	VBROADCASTSS (CX), Z4
	ADDQ R12, CX

narrowAdd:
	VMOVUPS.Z (BX), K1, Z5
	VFMADD231PS Z5, Z4, Z0
	INCQ AX
	JMP  narrowRow

narrowDone:
	VMOVUPS Z0, K1, (DI)
	ADDQ $64, DI
	ADDQ $64, SI
	SUBQ $16, R11
	JMP  narrow

end:
	VZEROUPPER
	RET

// func weightedSumAVX2(out, p *float32, index *uint32, scale *float32, n, width, stride, scaleStride int)
TEXT ·weightedSumAVX2(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ p+8(FP), SI
	MOVQ index+16(FP), DX
	MOVQ n+32(FP), R8
	MOVQ width+40(FP), R11
	MOVQ stride+48(FP), R10
	SHLQ $2, R10
	MOVQ scaleStride+56(FP), R12
	SHLQ $2, R12
	MOVL $0x3f800000, AX
	MOVQ AX, X4
	VBROADCASTSS X4, Y4

wide:
	CMPQ R11, $32
	JLT  sixteen
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	XORQ AX, AX
	MOVQ scale+24(FP), CX

wideRow:
	CMPQ AX, R8
	JGE  wideDone
	MOVQ AX, BX
	TESTQ DX, DX
	JZ   wideAt
	MOVL (DX)(AX*4), BX

wideAt:
	IMULQ R10, BX
	ADDQ SI, BX
	TESTQ CX, CX
	JZ   wideAdd
	VBROADCASTSS (CX), Y4
	ADDQ R12, CX

wideAdd:
	VFMADD231PS (BX), Y4, Y0
	VFMADD231PS 32(BX), Y4, Y1
	VFMADD231PS 64(BX), Y4, Y2
	VFMADD231PS 96(BX), Y4, Y3
	INCQ AX
	JMP  wideRow

wideDone:
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, SI
	SUBQ $32, R11
	JMP  wide

sixteen:
	CMPQ R11, $16
	JLT  narrow
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	XORQ AX, AX
	MOVQ scale+24(FP), CX

sixteenRow:
	CMPQ AX, R8
	JGE  sixteenDone
	MOVQ AX, BX
	TESTQ DX, DX
	JZ   sixteenAt
	MOVL (DX)(AX*4), BX

sixteenAt:
	IMULQ R10, BX
	ADDQ SI, BX
	TESTQ CX, CX
	JZ   sixteenAdd
	VBROADCASTSS (CX), Y4
	ADDQ R12, CX

sixteenAdd:
	VFMADD231PS (BX), Y4, Y0
	VFMADD231PS 32(BX), Y4, Y1
	INCQ AX
	JMP  sixteenRow

sixteenDone:
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $64, DI
	ADDQ $64, SI
	SUBQ $16, R11

narrow:
	TESTQ R11, R11
	JLE  end
	MOVQ $8, CX
	CMPQ R11, CX
	CMOVQLT R11, CX
	SHLQ $5, CX
	LEAQ ·tailMasks(SB), R13
	VMOVDQU (R13)(CX*1), Y6
	VMASKMOVPS (DI), Y6, Y0
	XORQ AX, AX
	MOVQ scale+24(FP), CX

narrowRow:
	CMPQ AX, R8
	JGE  narrowDone
	MOVQ AX, BX
	TESTQ DX, DX
	JZ   narrowAt
	MOVL (DX)(AX*4), BX

narrowAt:
	IMULQ R10, BX
	ADDQ SI, BX
	TESTQ CX, CX
	JZ   narrowAdd
	VBROADCASTSS (CX), Y4
	ADDQ R12, CX

narrowAdd:
	VMASKMOVPS (BX), Y6, Y5
	VFMADD231PS Y5, Y4, Y0
	INCQ AX
	JMP  narrowRow

narrowDone:
	VMASKMOVPS Y0, Y6, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $8, R11
	JMP  narrow

end:
	VZEROUPPER
	RET
