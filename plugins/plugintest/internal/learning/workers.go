package learning

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// workersRoom is how many numbers the row has in which processes meet.
const workersRoom = 1 << 17

// Workers has processes of the device divide the workers of what one process has learned, in step: they come to its
// bits, its losses and the work of its workers; and of what is exact to the bits of one worker, who goes along the
// ratings one after the other.
func Workers(t *testing.T, open func(*testing.T) plugins.Device) {
	long.Unraced(t) // threads of a process meet in memory that the race detector does not see
	devices := []plugins.Device{open(t)}
	if !extension.Offers(drive.Describe(t, devices[0]), plugins.ExtensionWorkers) {
		t.Skip("the device does not divide workers among processes")
	}
	devices = append(devices, open(t), open(t), open(t))
	r := testseed.Rand(t)
	rated := ratings(r)
	sampled, labels := samples(r)
	written, part, tokens := texts(r)
	for _, c := range []struct {
		of    string
		l     lesson
		g     *algorithms.Graph
		exact bool // what workers in step learn does not depend on how many there are
	}{
		{"mf", factorization(), rated, false}, {"als", alternation(1, 0).within(0, 4), rated, true},
		{"preferences", preferences(1), rated, true}, {"lr", regression(labels, 0, 1, 1e-8), sampled, false},
		{"blockpg", regression(labels, 2, 0, 1e-6), sampled, false}, {"lda", topicsOf(part, tokens), written, false},
	} {
		t.Run(c.of, func(t *testing.T) {
			l, g := c.l.with("workers", int64(len(devices))), c.g
			want, err := l.learn(t, r, devices[0], g, inOne)
			if err != nil && plugins.KindOf(err) == plugins.KindUnsupported {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, processes := range []int{2, len(devices)} {
				got, err := l.divided(t, r, devices[:processes], g)
				if err != nil {
					t.Fatal(err)
				}
				for name, numbers := range want.named {
					if !slices.Equal(bitsOf(got.named[name]), bitsOf(numbers)) {
						t.Errorf("%d processes: other bits of %s than of one", processes, name)
					}
				}
				if !slices.Equal(got.epochs, want.epochs) {
					t.Errorf("%d processes: other losses than of one", processes)
				}
				compareWork(t, got.work, want.work)
			}
			if !c.exact {
				return
			}
			alone, err := l.with("workers", 1).with("batch", 0).learn(t, r, devices[0], g, inOne)
			if err != nil || !slices.Equal(alone.rows, want.rows) {
				t.Errorf("other bits of one worker, or %v", err)
			}
		})
	}
}

// bitsOf are those of numbers, of which some may be none.
func bitsOf(numbers []float32) []uint32 {
	bits := make([]uint32, len(numbers))
	for i, x := range numbers {
		bits[i] = math.Float32bits(x)
	}
	return bits
}

// compareWork holds what workers of several processes have done against what they do in one.
func compareWork(t *testing.T, got, want []plugins.Work) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("they tell of %d workers, not of %d", len(got), len(want))
	}
	for k, w := range want {
		if g := got[k]; g.Edges != w.Edges || g.Masters != w.Masters || g.Mirrors != w.Mirrors || g.Clocks != w.Clocks ||
			g.Pushed != w.Pushed || g.Pulled != w.Pulled {
			t.Errorf("worker %d did %+v, and in one process %+v", k, g, w)
		}
	}
}

// divided has devices, a process each, learn together in one arena.
func (l lesson) divided(t *testing.T, r *rand.Rand, devices []plugins.Device, g *algorithms.Graph) (learned, error) {
	t.Helper()
	room, own := algorithms.Rows{Name: plugins.RoomRow, Width: workersRoom, Once: true, Room: true}, l
	l.rows = append(slices.Clone(l.rows), room)
	l = l.with(plugins.ProcessesArgument, int64(len(devices)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rigs := make([]*drive.Rig, len(devices))
	for number, device := range devices {
		var err error
		rigs[number], err = l.with(plugins.ProcessArgument, int64(number)).rig(t, r, device, g, inOne, rigs[0])
		if err != nil {
			return learned{}, err
		}
		defer rigs[number].Close()
		rigs[number].Begin(ctx)
		if err := rigs[number].UploadAll(); err != nil {
			return learned{}, err
		}
	}
	named, err := own.fill(rigs[0])
	if err != nil {
		return learned{}, err
	}
	answers, errs := make([]drive.Answer, len(rigs)), make([]error, len(rigs))
	var group sync.WaitGroup
	for number, rig := range rigs {
		group.Go(func() {
			var all []drive.Answer
			if all, errs[number] = rig.Talk.Exchange(plugins.Command{Op: plugins.Call}); errs[number] != nil {
				cancel() // the others wait for it
				return
			}
			answers[number] = all[0]
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return learned{}, err
	}
	got := own.learned(named, answers[0])
	for number, a := range answers[1:] {
		got.work = append(got.work, a.Work...)
		if len(a.Epochs) > 0 {
			t.Errorf("process %d tells of epochs, which the first does", number+1)
		}
	}
	return got, nil
}
