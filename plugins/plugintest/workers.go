package plugintest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// workersRoom is how many numbers the row has in which processes meet.
const workersRoom = 1 << 16

// RunWorkers is what Run tests of devices that divide workers among processes (plugins.ExtensionWorkers), by itself:
// open gives a process each time that it is asked.
func RunWorkers(t *testing.T, open Open) { testWorkers(t, open) }

// testWorkers has processes of the device divide the workers of what one process has learned, in step: they come to its
// bits, its losses and the work of its workers; and of what is exact to the bits of one worker, who goes along the
// ratings one after the other.
func testWorkers(t *testing.T, open Open) {
	long.Unraced(t) // threads of a process meet in memory that the race detector does not see
	devices := []plugins.Device{open(t)}
	if !extension.Offers(describe(t, devices[0]), plugins.ExtensionWorkers) {
		t.Skip("the device does not divide workers among processes")
	}
	devices = append(devices, open(t), open(t), open(t))
	r := testseed.Rand(t)
	g := ratings(r)
	for _, l := range []lesson{factorization(), alternation(1, 0).within(0, 4), preferences(1)} {
		t.Run(l.name, func(t *testing.T) {
			l := l.with("workers", int64(len(devices)))
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
				if !slices.Equal(got.rows, want.rows) || !slices.Equal(got.epochs, want.epochs) {
					t.Errorf("%d processes: other bits, or losses, than of one", processes)
				}
				compareWork(t, got.work, want.work)
			}
			if l.name == factorization().name {
				return // what workers in step learn depends on how many there are
			}
			alone, err := l.with("workers", 1).with("batch", 0).learn(t, r, devices[0], g, inOne)
			if err != nil || !slices.Equal(alone.rows, want.rows) {
				t.Errorf("other bits of one worker, or %v", err)
			}
		})
	}
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
	room := algorithms.Rows{Name: plugins.RoomRow, Width: workersRoom, Once: true, Room: true}
	l.rows = append(slices.Clone(l.rows), room)
	l = l.with(plugins.ProcessesArgument, int64(len(devices)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rigs := make([]*rig, len(devices))
	for number, device := range devices {
		var err error
		rigs[number], err = l.with(plugins.ProcessArgument, int64(number)).rig(t, r, device, g, inOne, rigs[0])
		if err != nil {
			return learned{}, err
		}
		defer rigs[number].close()
		rigs[number].begin(ctx)
		if err := rigs[number].uploadAll(); err != nil {
			return learned{}, err
		}
	}
	answers, errs := make([]answer, len(rigs)), make([]error, len(rigs))
	var group sync.WaitGroup
	for number, rig := range rigs {
		group.Go(func() {
			var all []answer
			if all, errs[number] = rig.talk.exchange(plugins.Command{Op: plugins.Call}); errs[number] != nil {
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
	numbers, err := rigs[0].state.arena.Float32s(rigs[0].task.Layout.Rows[0].Range)
	if err != nil {
		return learned{}, err
	}
	got := learned{rows: slices.Clone(numbers), epochs: answers[0].epochs}
	for number, a := range answers {
		got.work = append(got.work, a.work...)
		if number > 0 && len(a.epochs) > 0 {
			t.Errorf("process %d tells of epochs, which the first does", number)
		}
	}
	return got, nil
}
