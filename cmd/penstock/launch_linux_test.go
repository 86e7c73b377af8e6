package main

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/confine/stage"
	"github.com/penstock-db/penstock/internal/launch"
)

// BenchmarkLaunch compares launches of the built-in device within its walls and without, by turns: by the clock, and by
// the processors' time of this process and its children, which says more where others use the machine. The clock runs
// until the device can be talked to; the time of processors counts its end as well.
func BenchmarkLaunch(b *testing.B) {
	launched := func(spec launch.Spec) func() time.Duration {
		return func() time.Duration {
			began := time.Now()
			p, err := launch.Start(b.Context(), spec, launch.Options{})
			took := time.Since(began)
			if err != nil {
				b.Fatal(err)
			}
			p.Kill()
			return took
		}
	}
	confined, err := launch.Self()
	if err != nil {
		b.Fatal(err)
	}
	open := confined
	open.Unconfined = "it is measured"
	took := byTurns(b, launched(open), launched(confined))
	b.ReportMetric(took[0].clock, "open-ms")
	b.ReportMetric(took[1].clock, "confined-ms")
	b.ReportMetric(took[1].clock-took[0].clock, "walls-ms")
	b.ReportMetric(took[0].processors, "open-cpu-ms")
	b.ReportMetric(took[1].processors, "confined-cpu-ms")
	b.ReportMetric(took[1].processors-took[0].processors, "walls-cpu-ms")
}

// BenchmarkStage tells what each step of the stage takes, from its start until what it becomes has ended, which is a
// program that does nothing: by turns none, a stage that has nothing to do but to drop capabilities, one that builds
// Landlock's wall as well, and one that builds all.
func BenchmarkStage(b *testing.B) {
	staged := func(keep func(*stage.Orders)) func() time.Duration {
		return func() time.Duration {
			cmd := exec.Command("/bin/true")
			process := confine.Process{Program: cmd.Path, Args: cmd.Args}
			began := time.Now()
			if keep == nil {
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				return time.Since(began)
			}
			building, err := process.Build(cmd)
			if err != nil {
				b.Fatal(err)
			}
			defer building.Close()
			reorder(b, cmd.ExtraFiles[0], keep)
			if _, err := building.Start(cmd); err != nil {
				b.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				b.Fatal(err)
			}
			return time.Since(began)
		}
	}
	took := byTurns(b,
		staged(nil),
		staged(func(o *stage.Orders) { o.Limits, o.Files, o.Filter, o.OwnPID = nil, stage.Ruleset{}, nil, nil }),
		staged(func(o *stage.Orders) { o.Filter, o.OwnPID = nil, nil }),
		staged(func(*stage.Orders) {}),
	)
	b.ReportMetric(took[0].clock, "none-ms")
	for i, name := range []string{"stage", "landlock", "seccomp"} {
		b.ReportMetric(took[i+1].clock-took[i].clock, name+"-ms")
		b.ReportMetric(took[i+1].processors-took[i].processors, name+"-cpu-ms")
	}
}

// reorder has the orders in a file be what keep leaves of them.
func reorder(b *testing.B, file *os.File, keep func(*stage.Orders)) {
	b.Helper()
	text := make([]byte, 1<<20)
	n, err := unix.Pread(int(file.Fd()), text, 0)
	if err != nil {
		b.Fatal(err)
	}
	orders, ok := stage.Decode(text[:n])
	if !ok {
		b.Fatal("these are no orders of a stage")
	}
	keep(&orders)
	text = orders.Encode()
	if _, err = file.WriteAt(text, 0); err == nil {
		err = file.Truncate(int64(len(text)))
	}
	if err != nil {
		b.Fatal(err)
	}
}

// took are medians of milliseconds.
type took struct{ clock, processors float64 }

// byTurns runs each of some launches, which tell what they have taken by the clock, as often as the benchmark says.
func byTurns(b *testing.B, launches ...func() time.Duration) (all []took) {
	b.Helper()
	clock, processors := make([][]float64, len(launches)), make([][]float64, len(launches))
	for b.Loop() {
		for i, run := range launches {
			before := processorTime(b)
			clock[i] = append(clock[i], run().Seconds()*1e3)
			processors[i] = append(processors[i], (processorTime(b)-before).Seconds()*1e3)
		}
	}
	median := func(values []float64) float64 { slices.Sort(values); return values[len(values)/2] }
	for i := range launches {
		all = append(all, took{median(clock[i]), median(processors[i])})
	}
	return all
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
