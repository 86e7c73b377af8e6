package main

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch"
)

// BenchmarkLaunch compares launches of the built-in device within its walls and without, by turns: by the clock, and by
// the processors' time of this process and its children, which says more where others use the machine.
func BenchmarkLaunch(b *testing.B) {
	var times, cpu [2][]float64 // milliseconds: open, confined
	for b.Loop() {
		for confined := range times {
			spec, err := launch.Self()
			if err != nil {
				b.Fatal(err)
			}
			if confined == 0 {
				spec.Unconfined = "it is measured"
			}
			began, before := time.Now(), processorTime(b)
			p, err := launch.Start(b.Context(), spec, launch.Options{})
			if err != nil {
				b.Fatal(err)
			}
			times[confined] = append(times[confined], time.Since(began).Seconds()*1e3)
			p.Kill()
			cpu[confined] = append(cpu[confined], (processorTime(b)-before).Seconds()*1e3)
		}
	}
	median := func(values []float64) float64 { slices.Sort(values); return values[len(values)/2] }
	b.ReportMetric(median(times[0]), "open-ms")
	b.ReportMetric(median(times[1]), "confined-ms")
	b.ReportMetric(median(times[1])-median(times[0]), "walls-ms")
	b.ReportMetric(median(cpu[0]), "open-cpu-ms")
	b.ReportMetric(median(cpu[1]), "confined-cpu-ms")
	b.ReportMetric(median(cpu[1])-median(cpu[0]), "walls-cpu-ms")
}

// processorTime is what this process has taken of it, and the children that it has waited for.
func processorTime(b *testing.B) (took time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		took += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return took
}
