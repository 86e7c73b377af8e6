// Package adam has the step of Adam (Kingma and Ba, ICLR 2015, algorithm 1, with its constants): numbers move against
// the mean of their gradients, divided by the root of the mean of their squares.
//
// On amd64 with AVX2 steps of float32 are assembly, which package asm generates, else a plain loop. Every product, sum,
// quotient and root is rounded, in the same order, so that all processors compute the same bits.
package adam

import (
	"math"
	"unsafe"
)

//go:generate go run -modfile=../../../../plugins/cpu/internal/vector/asm/avo.mod asm/main.go -out kernel_amd64.s -stubs kernel_amd64.go -pkg adam

const (
	decayMean   = 0.9
	decaySquare = 0.999
	leastRoot   = 1e-8
	// Added and taken away again, it rounds what is far below leastRoot to multiples of 2⁻¹²⁴: means of gradients that
	// have become 0 would fall among the subnormal numbers, which take a processor a hundred times as long.
	tiny = 0x1p-100
)

// Means are those of gradients and of their squares, of so many numbers. Both are 0 at first, and biased to that.
type Means[T float32 | float64] struct{ Gradient, Square []T }

// Step moves numbers against their gradient, the count-th time, which is 1 or more. Decay times a number is added to
// its gradient. It panics where there are fewer means or gradients than numbers.
func Step[T float32 | float64](numbers, gradient []T, means Means[T], rate, decay float64, count int) {
	n := len(numbers)
	gradient, mean, square := gradient[:n], means.Gradient[:n], means.Square[:n]
	step := T(rate / (1 - math.Pow(decayMean, float64(count))))
	root, less := T(1/math.Sqrt(1-math.Pow(decaySquare, float64(count)))), T(decay)
	if hasKernel && unsafe.Sizeof(step) == 4 {
		stepAVX2(first(numbers), first(gradient), first(mean), first(square), n, float32(step), float32(root), float32(less))
		return
	}
	plain(numbers, gradient, mean, square, step, root, less)
}

// plain is a step by a loop. Conversions round, so that nothing is fused.
//
//nolint:unconvert // they are not for the type
func plain[T float32 | float64](numbers, gradient, mean, square []T, step, root, less T) {
	for i, x := range numbers {
		g := gradient[i] + T(less*x)
		m := mean[i] + T((1-decayMean)*(g-mean[i])) + tiny - tiny
		s := square[i] + T((1-decaySquare)*(T(g*g)-square[i])) + tiny - tiny
		mean[i], square[i] = m, s
		numbers[i] = x - T(step*m)/(T(T(math.Sqrt(float64(s)))*root)+leastRoot)
	}
}

// first is where numbers of four bytes begin.
func first[T float32 | float64](x []T) *float32 {
	return (*float32)(unsafe.Pointer(unsafe.SliceData(x)))
}
