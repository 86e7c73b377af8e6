// Package vector has the loops over numbers that a neural network spends its time in: products of matrices, functions
// and products of rows, dropouts. On amd64 those of float32 are assembly, which package asm generates: AVX-512 and
// AVX2, by what the processor has. Everything else is computed by plain loops.
//
//	product  (product.go)   panels of a matrix ──▶ tiles of 8 × 32 numbers, in registers while k goes upward
//	unary    (unary.go)     polynomials; eight numbers at a time, or sixteen in the same steps
//	rows     (rows.go)      sums, products, scalar products and largest of rows that indices name
//	lists    (lists.go)     whose edges those of a list are, and the largest of the rows that it names
//	sections (sections.go)  sums of rows times a number each, by section
//	weighted (weighted.go)  sums of rows whose parts go with a number each; a row is read once for two sums, and sums of
//	                        narrow rows go along
//	scores   (scores.go)    those of attention at edges, and what its gradient needs of them, in one pass
//	compare  (compare.go)   scalar products of a row with others, and squares of its distances from them
//	panel    (panel.go)     the same of 32 rows with 32 others
//	sums     (sums.go)      sums of rows in double precision
//	shares   (shares.go)    sums of rows of double precision that indices name, times a number each
//	dropout  (dropout.go)   eight random numbers at a time, by which 32 numbers are kept or dropped
//
// A number is computed by the same operations in the same order, whatever the tile, vector or row that it is in, so
// that the same bits come out however rows are cut. AVX-512 and AVX2 agree to the bit. Plain loops round products of
// float32 once more, and take functions from package math.
package vector

//go:generate go run -modfile=asm/avo.mod asm/main.go asm/tile.go asm/unary.go asm/wide.go asm/rows.go asm/lists.go asm/sections.go asm/compare.go asm/panel.go asm/sums.go asm/shares.go asm/weighted.go asm/scores.go asm/keys.go asm/masks.go -out kernels_amd64.s -stubs kernels_amd64.go -pkg vector
