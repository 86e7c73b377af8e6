package vector

import "unsafe"

// Number is what is computed with: float32 to train, float64 to compare.
type Number interface{ ~float32 | ~float64 }

// Level is what instructions are used.
type Level int

const (
	Plain Level = iota
	AVX2        // with fused multiplications and additions
	AVX512
)

func (l Level) String() string { return [...]string{"plain", "AVX2", "AVX-512"}[l] }

// level is the best that this processor has.
var level = detected

// Levels are what this processor has.
func Levels() (all []Level) {
	for l := range detected + 1 {
		all = append(all, l)
	}
	return all
}

// At calls do with kernels of a level, for tests: nothing else may be computed meanwhile.
func At(l Level, do func()) {
	was := level
	level = min(l, detected)
	defer func() { level = was }()
	do()
}

func isSingle[T Number]() bool { return unsafe.Sizeof(*new(T)) == 4 }

// first is where numbers of four bytes begin.
func first[T Number](x []T) *float32 { return (*float32)(unsafe.Pointer(unsafe.SliceData(x))) }

// after is where the i-th number behind p is.
func after(p *float32, i int) *float32 { return (*float32)(unsafe.Add(unsafe.Pointer(p), 4*i)) }
