package mega

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// keeping is mixing with all that a run may consist of: random numbers, an order that is drawn, mirrors' own numbers
// that count, edges that change, and what the program itself knows.
func keeping(shuffle bool, enough int) *Program[int64, int64, int64] {
	p := mixing()
	p.Shuffle, p.Keeps.Edges, p.Tally = shuffle, true, 1
	exchange := p.Exchange
	p.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
		exchange(w, u, v, edge)
		u[0] += w.Random.Int64N(100) + v[1]
		*edge = (*edge*7 + u[0]) % 1000
		w.Loss += float64(*edge % 10)
		w.Tally[0]++
	}
	asked := uint64(0)
	p.Keeps.All = func(keep func([]byte)) {
		own := binary.LittleEndian.AppendUint64(nil, asked)
		keep(own)
		asked = binary.LittleEndian.Uint64(own)
	}
	p.Done = func(int, float64, [][]float64) bool {
		asked++
		return asked > uint64(enough)
	}
	return p
}

// A run that is interrupted, kept and gone on with, by itself or anew, comes to the same bits as one that is not.
func TestCourse_SameBits(t *testing.T) {
	r := testseed.Rand(t)
	interrupted, restored := 0, 0
	for range 300 {
		g, shuffle, enough := randomGraph(r), r.IntN(2) == 0, r.IntN(12)
		o := Options{Workers: 1 + r.IntN(6), Epochs: 1 + r.IntN(10), Batch: 1 + r.IntN(40), Seed: r.Uint64()}
		fresh := func() *Graph[int64] {
			return &Graph[int64]{g.Rights, g.Offsets, slices.Clone(g.Targets), slices.Clone(g.Edges), slices.Clone(g.Sets)}
		}
		plain := fresh()
		want, report, err := Run(t.Context(), keeping(shuffle, enough), plain, o)
		if err != nil {
			t.Fatal(err)
		}
		var told []float64
		o.Epoch = func(epoch int, loss float64) { told = append(told[:epoch], loss) }
		o.Pause = func() bool { return r.IntN(2) == 0 }
		last := fresh()
		c, err := Start(keeping(shuffle, enough), last, o)
		for done := false; err == nil && !done; {
			if done, err = c.Continue(t.Context()); done || err != nil {
				continue
			}
			interrupted++
			room := make([]byte, 1<<20)
			n, failed := c.Save(room)
			if failed != nil {
				t.Fatal(failed)
			}
			if r.IntN(2) == 0 {
				restored++
				told, last = nil, fresh()
				if c, err = Start(keeping(shuffle, enough), last, o); err == nil {
					err = c.Restore(slices.Clone(room[:n]))
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		got := c.State()
		if !slices.Equal(got.Left, want.Left) || !slices.Equal(got.Right, want.Right) ||
			!slices.Equal(got.Context, want.Context) || !slices.Equal(last.Edges, plain.Edges) {
			t.Fatalf("%+v: other bits than without interruption", o)
		}
		if !slices.Equal(told, report.Losses) || !slices.Equal(c.Report().Losses, report.Losses) ||
			c.Report().Done != report.Done {
			t.Fatalf("%+v: losses %v, told %v, want %v", o, c.Report().Losses, told, report.Losses)
		}
	}
	if interrupted < 100 || restored < 50 {
		t.Errorf("%d interruptions, after %d of which a run was restored", interrupted, restored)
	}
}

// With slack all workers stop before the same epoch, and all that they have changed is kept.
func TestCourse_Slack(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		o := Options{Workers: 1 + r.IntN(6), Slack: r.IntN(6) - 1, Epochs: 1 + r.IntN(10), Batches: 1 + r.IntN(4),
			Seed: r.Uint64(), Pause: func() bool { return true }}
		if r.IntN(2) == 0 {
			o.Cluster.Latency = 1
		}
		var kept []byte
		for epochs := 0; ; epochs++ {
			c, err := Start(counting(), everyOne(o.Workers, 3), o)
			if err == nil && kept != nil {
				err = c.Restore(kept)
			}
			done := false
			if err == nil {
				done, err = c.Continue(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			if done {
				if n := c.State().Right[0]; n != int64(o.Workers*o.Epochs) {
					t.Fatalf("%+v: counted %d", o, n)
				}
				break
			}
			if c.Epochs() != epochs+1 {
				t.Fatalf("%+v: stopped after %d epochs, want %d", o, c.Epochs(), epochs+1)
			}
			room := make([]byte, 1<<16)
			n, err := c.Save(room)
			if err != nil {
				t.Fatal(err)
			}
			kept = room[:n]
		}
	}
}

// What is of another run, cut off, or no plain value, is refused.
func TestCourse_Refusals(t *testing.T) {
	o := Options{Workers: 2, Epochs: 5, Pause: func() bool { return true }}
	start := func(workers, epochs int) *Course[int64, int64, int64] {
		o := o
		o.Workers, o.Epochs = workers, epochs
		c, err := Start(mixing(), everyOne(2, 3), o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := start(2, 5)
	if done, err := c.Continue(t.Context()); done || err != nil {
		t.Fatal(done, err)
	}
	room := make([]byte, 1<<16)
	n, err := c.Save(room)
	if err != nil {
		t.Fatal(err)
	}
	var typed *Error
	for name, refused := range map[string]error{
		"cut off":         start(2, 5).Restore(room[:n-1]),
		"too long":        start(2, 5).Restore(room[:n+1]),
		"other workers":   start(1, 5).Restore(room[:n]),
		"other epochs":    start(2, 6).Restore(room[:n]),
		"nothing":         start(2, 5).Restore(nil),
		"an end too late": start(2, 5).Restore(append([]byte{32, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 99}, room[17:n]...)),
	} {
		if !errors.As(refused, &typed) {
			t.Errorf("%s: %v", name, refused)
		}
	}
	if _, err := c.Save(room[:n-1]); !errors.As(err, &typed) {
		t.Errorf("too little room: %v", err)
	}
	p := &Program[*int, int64, int64]{Name: "pointers", Left: Rows{Mirror: 1}, Stages: []Stage{Sync()}}
	of, err := Start(p, everyOne(2, 3), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := of.Save(room); !errors.As(err, &typed) {
		t.Errorf("pointers: %v", err)
	}
}
