//go:build unix

package vector

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// BenchmarkProduct multiplies blocks of 128 rows on all processors, as a network does, and says what share that is of
// the operations that the processors can do at most, measured by turns in the same run.
func BenchmarkProduct(b *testing.B) {
	for _, s := range []struct{ rows, k, n int }{{16384, 256, 256}, {65536, 128, 64}, {65536, 64, 16}, {2708, 1433, 16}} {
		x, p, out := make([]float32, s.rows*s.k), make([]float32, s.k*s.n), make([]float32, s.rows*s.n)
		for i := range x {
			x[i] = float32(i%7) - 3
		}
		for i := range p {
			p[i] = float32(i%5) - 2
		}
		name, packed := fmt.Sprintf("%dx%dx%d", s.rows, s.k, s.n), Panels[float32]{s.k, s.n, make([]float32, len(p))}
		operations := 2 * float64(s.rows) * float64(s.k) * float64(s.n)
		b.Run(name, func(b *testing.B) {
			rate(b, operations, func() {
				packed.Pack(p, false)
				eachBlock(s.rows, func(from, to int) { packed.Multiply(out[from*s.n:], x[from*s.k:], to-from) })
			})
		})
		b.Run(name+"/outer", func(b *testing.B) {
			sums := make([]float32, 64*len(p))
			rate(b, operations, func() {
				var taken atomic.Int64
				parallel(func() {
					for k := int(taken.Add(1) - 1); k < 64; k = int(taken.Add(1) - 1) {
						sum, from, to := sums[k*len(p):(k+1)*len(p)], s.rows*k/64, s.rows*(k+1)/64
						for ; from < to; from += 128 {
							AddOuter(sum, x[from*s.k:], out[from*s.n:], min(128, to-from), s.k, s.n)
						}
					}
				})
			})
		})
	}
}

// rate compares with the peak by the time of processors, which others do not share; rates are those of one of them.
func rate(b *testing.B, operations float64, do func()) {
	var took, peakTook time.Duration
	var peak float64
	do()
	for b.Loop() {
		began := used()
		do()
		took += used() - began
		began = used()
		peak += Peak()
		peakTook += used() - began
	}
	operations *= float64(b.N)
	b.ReportMetric(operations/1e9/took.Seconds(), "GFLOP/s")
	b.ReportMetric(peak/1e9/peakTook.Seconds(), "peak-GFLOP/s")
	b.ReportMetric(100*operations/took.Seconds()/(peak/peakTook.Seconds()), "%peak")
}

// used is the time that processors have given this program.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func parallel(do func()) {
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(do)
	}
	all.Wait()
}

func eachBlock(rows int, do func(from, to int)) {
	var next atomic.Int64
	parallel(func() {
		for {
			from := int(next.Add(128)) - 128
			if from >= rows {
				return
			}
			do(from, min(from+128, rows))
		}
	})
}
