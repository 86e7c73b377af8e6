package halving

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Runner has two devices compute passes.
type Runner struct {
	Streams [2]*link.Stream // the first has the lists

	network  *plugins.Network
	vertices uint64
	passes   []*pass
	report   Report
}

// pass is a pass of the network, in halves.
type pass struct {
	groups [2][]*group // once, and each time
	known  map[*dataflow.Value][]float32
	ready  bool
}

// group is the halves of a stage.
type group struct {
	first  int // among the halves of its kind
	halves []dataflow.Half
	choice choice
	spent  Stage
}

// Results is how many numbers the halves of a pass leave, of so many vertices.
func Results(network *plugins.Network, p plugins.NetworkPass, vertices uint64) (numbers uint64) {
	once, epoch := halvesOf(network, p)
	for _, v := range plugins.HalfResults(once, epoch) {
		numbers += size(v, vertices)
	}
	return numbers
}

func size(v *dataflow.Value, vertices uint64) uint64 {
	if v.Place == dataflow.Parameters {
		vertices = uint64(v.Rows)
	}
	return vertices * uint64(v.Width)
}

func halvesOf(network *plugins.Network, p plugins.NetworkPass) (once, epoch []dataflow.Half) {
	s := dataflow.NewSchedule(dataflow.Order(network.Values, p.Roots...), p.Roots...)
	return dataflow.Halves(s.Once), dataflow.Halves(s.Epoch)
}

// New finds where the halves of a network leave what they compute.
func New(memory *arena.Arena, network *plugins.Network, vertices uint64) (*Runner, error) {
	r := &Runner{network: network, vertices: vertices}
	r.report.Intervals = network.Halves.Intervals(vertices)
	for i, p := range network.Passes {
		at, err := memory.Float32s(p.At)
		if err != nil {
			return nil, err
		}
		once, epoch := halvesOf(network, p)
		made := &pass{known: map[*dataflow.Value][]float32{}}
		for _, v := range plugins.HalfResults(once, epoch) {
			made.known[v], at = at[:size(v, vertices)], at[size(v, vertices):]
		}
		for k, halves := range [][]dataflow.Half{once, epoch} {
			made.groups[k] = groupsOf(halves, Stage{Pass: i, Once: k == 0})
		}
		r.passes = append(r.passes, made)
	}
	return r, nil
}

// groupsOf puts the halves of each stage together.
func groupsOf(halves []dataflow.Half, like Stage) (groups []*group) {
	for i := range halves {
		if i == 0 || halves[i].Of != halves[i-1].Of {
			like.Stage = len(groups) + 1
			groups = append(groups, &group{first: i, spent: like})
		}
		g := groups[len(groups)-1]
		g.halves = append(g.halves, halves[i])
		if halves[i].Sparse() {
			g.spent.Edges++
		} else {
			g.spent.Rows++
			g.spent.Products += halves[i].Products()
		}
	}
	return groups
}

// Of is what the last Pass of a number has computed of a root; nil: it is none.
func (r *Runner) Of(number int, root *dataflow.Value) []float32 {
	if root.Op == dataflow.Number {
		return []float32{float32(root.Number)}
	}
	return r.passes[number].known[root]
}

// Pass has the devices compute a pass.
func (r *Runner) Pass(ctx context.Context, number int, dropout dataflow.Dropout) error {
	p := r.passes[number]
	for k, groups := range p.groups {
		if k == 0 && p.ready {
			continue
		}
		for _, g := range groups {
			command := plugins.Command{Op: plugins.Rows, Pass: uint32(number), Seed: dropout.Seed,
				Epoch: uint32(dropout.Epoch), Piece: plugins.Piece{Once: k == 0}}
			if err := r.run(ctx, g, command); err != nil {
				return err
			}
		}
	}
	p.ready = true
	return nil
}

// task is a half of a group for an interval.
type task struct {
	half, interval, device int
	done                   bool
}

// finished is a task with what the device has said of it.
type finished struct {
	*task
	at      time.Time
	compute time.Duration
}

// run takes all intervals through the halves of a group. A device obeys in order, and is sent a command when another
// device has left what that reads.
func (r *Runner) run(ctx context.Context, g *group, command plugins.Command) error {
	began, intervals := time.Now(), r.report.Intervals
	chosen := g.choice.device()
	if g.spent.Rows == 0 {
		chosen = edges
	}
	var queues [2][]*task
	tasks := make([][]*task, len(g.halves))
	for h := range g.halves {
		device := edges
		if !g.halves[h].Sparse() {
			device = chosen
		}
		for k := range intervals {
			t := &task{half: h, interval: k, device: device}
			tasks[h] = append(tasks[h], t)
			queues[device] = append(queues[device], t)
		}
	}
	left := len(g.halves) * intervals
	done := make(chan finished, left) // a stream must not wait for it
	var flying [2]int
	var work [2][]span
	for left > 0 {
		for d := range queues {
			for len(queues[d]) > 0 && ready(tasks, queues[d][0]) {
				t := queues[d][0]
				if queues[d] = queues[d][1:]; flying[1-d] > 0 {
					g.spent.Together++
				}
				flying[d]++
				if err := r.send(command, g, t, done); err != nil {
					return err
				}
			}
		}
		select {
		case f := <-done:
			f.done = true
			flying[f.device]--
			left--
			work[f.device] = append(work[f.device], span{f.at.Add(-f.compute), f.at})
			if half := &g.halves[f.half]; !half.Sparse() {
				g.spent.Done[f.device] += uint64(half.Products())
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	took := time.Since(began)
	g.choice.took(chosen, took)
	g.spent.add(chosen, took, work)
	return nil
}

// ready says whether what a task reads is there, or will be when its own device comes to it.
func ready(tasks [][]*task, t *task) bool {
	if t.half == 0 {
		return true
	}
	before := tasks[t.half-1][t.interval]
	return before.done || before.device == t.device
}

func (r *Runner) send(command plugins.Command, g *group, t *task, done chan<- finished) error {
	command.Piece.Stage, command.Piece.Interval = uint32(g.first+t.half), uint32(t.interval)
	return r.Streams[t.device].Send(command, link.Call{Done: func(e plugins.Event) {
		done <- finished{t, time.Now(), e.Compute}
	}})
}
