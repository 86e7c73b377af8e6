package main

import (
	"slices"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch"
)

// BenchmarkLaunch compares launches of the built-in device within its walls and without, by turns.
func BenchmarkLaunch(b *testing.B) {
	var times [2][]float64 // milliseconds: open, confined
	for b.Loop() {
		for confined := range times {
			spec, err := launch.Self()
			if err != nil {
				b.Fatal(err)
			}
			if confined == 0 {
				spec.Unconfined = "it is measured"
			}
			began := time.Now()
			p, err := launch.Start(b.Context(), spec, launch.Options{})
			if err != nil {
				b.Fatal(err)
			}
			times[confined] = append(times[confined], time.Since(began).Seconds()*1e3)
			p.Kill()
		}
	}
	median := func(values []float64) float64 { slices.Sort(values); return values[len(values)/2] }
	b.ReportMetric(median(times[0]), "open-ms")
	b.ReportMetric(median(times[1]), "confined-ms")
	b.ReportMetric(median(times[1])-median(times[0]), "walls-ms")
}
