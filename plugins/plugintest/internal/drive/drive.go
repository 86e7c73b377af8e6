package drive

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// Outcome is what a run came to.
type Outcome struct {
	Values []algorithms.Values
	Last   plugins.Iteration
}

// Run does the work from Execute to results. An error is the device's.
func (rig *Rig) Run() (Outcome, error) {
	rig.t.Helper()
	rig.Begin(rig.t.Context())
	var last plugins.Iteration
	var err error
	switch {
	case rig.Plan.Passes:
		last, err = rig.passes()
	case rig.Task.Program == nil:
		last, err = rig.call()
	case rig.Task.Settle:
		last, err = rig.settle()
	case rig.Mode.Streamed:
		last, err = rig.stream()
	default:
		last, err = rig.Iterate()
	}
	if err != nil {
		return Outcome{}, err
	}
	result := Outcome{Values: rig.State.Copies(), Last: last}
	rig.Talk.Finish()
	return result, nil
}

// UploadAll puts chunk i at place i. A range that the device has released it gets back
// full of rubbish: it must not look there again.
func (rig *Rig) UploadAll() error {
	var commands []plugins.Command
	for i := range rig.Chunks {
		commands = append(commands, rig.Upload(i))
	}
	answers, err := rig.Talk.Exchange(commands...)
	for i, a := range answers {
		if b, rangeErr := rig.State.Arena.Bytes(commands[i].At); rangeErr == nil && a.released && commands[i].File == "" {
			for k := range b {
				b[k] = 0xA5
			}
		}
	}
	return err
}

// call has the procedure run. The iteration tells of a cycle, where one is in the way.
func (rig *Rig) call() (last plugins.Iteration, err error) {
	rig.t.Helper()
	if err := rig.UploadAll(); err != nil {
		return last, err
	}
	answers, err := rig.Talk.Exchange(plugins.Command{Op: plugins.Call})
	if err != nil {
		return last, err
	}
	for _, last = range answers[0].Iterations {
		rig.checkCycle(last.Cycle)
	}
	return last, nil
}

// checkCycle checks that edges lead from each vertex of a cycle to the next, and to none twice.
func (rig *Rig) checkCycle(found *plugins.Cycle) {
	rig.t.Helper()
	if found == nil || len(found.Vertices) == 0 {
		rig.t.Fatal("Call told of an iteration without a cycle")
	}
	seen := map[uint64]bool{}
	for i, v := range found.Vertices {
		next := found.Vertices[(i+1)%len(found.Vertices)]
		if seen[v] || v >= uint64(rig.Graph.N()) || !slices.Contains(rig.Graph.Out.Of(int(v)), uint32(next)) {
			rig.t.Fatalf("%v is no cycle: at vertex %d", found.Vertices, v)
		}
		seen[v] = true
	}
}

// Init does Init and returns iteration 0.
func (rig *Rig) Init() (plugins.Iteration, error) {
	rig.t.Helper()
	return rig.iteration(0, plugins.Command{Op: plugins.Init})
}

// iteration does a command that ends in iteration number.
func (rig *Rig) iteration(number int, c plugins.Command) (plugins.Iteration, error) {
	rig.t.Helper()
	answers, err := rig.Talk.Exchange(c)
	if err != nil {
		return plugins.Iteration{}, err
	}
	it := answers[0].Iterations
	if len(it) != 1 || it[0].Number != number {
		rig.t.Fatalf("command %d told of the iterations %+v; expected number %d", c.Op, it, number)
	}
	rig.Check(it[0])
	rig.Uploads.Places = it[0].Places
	return it[0], nil
}

// Iterate leaves the iterations to the device.
func (rig *Rig) Iterate() (plugins.Iteration, error) {
	rig.t.Helper()
	if err := rig.UploadAll(); err != nil {
		return plugins.Iteration{}, err
	}
	last, err := rig.Init()
	if err != nil {
		return last, err
	}
	answers, err := rig.Talk.Exchange(plugins.Command{Op: plugins.Iterate})
	if err != nil {
		return last, err
	}
	for _, it := range answers[0].Iterations {
		if it.Number != last.Number && it.Number != last.Number+1 {
			rig.t.Errorf("iteration %d after iteration %d", it.Number, last.Number)
		}
		last = it
	}
	if !last.Converged {
		rig.t.Errorf("Iterate stopped after iteration %d without having converged", last.Number)
	}
	rig.Check(last)
	return last, nil
}

// stream passes all chunks through the slots in every iteration.
func (rig *Rig) stream() (plugins.Iteration, error) {
	rig.t.Helper()
	it, err := rig.Init()
	bound := rig.Task.Program.Bound(uint64(rig.Graph.N()))
	for err == nil && !it.Converged {
		if it.Number >= bound {
			rig.t.Fatalf("not converged after %d iterations, the program's bound", it.Number)
		}
		it, err = rig.streamPass(it)
	}
	return it, err
}

// streamPass is one iteration.
func (rig *Rig) streamPass(it plugins.Iteration) (plugins.Iteration, error) {
	rig.t.Helper()
	if err := rig.Pass(); err != nil {
		return it, err
	}
	return rig.iteration(it.Number+1, plugins.Command{Op: plugins.Apply})
}

// Pass steps every chunk that the device needs. A chunk is uploaded while the one before is
// still there; its slot is written again only when the device has forgotten it.
func (rig *Rig) Pass() error {
	rig.t.Helper()
	needed := rig.Needed()
	for i, number := range needed {
		commands := []plugins.Command{rig.Uploads.Upload(number, rig.Chunks[number], rig.Room.At[i%Slots])}
		if i > 0 {
			commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: uint32(needed[i-1])})
		}
		commands = append(commands, plugins.Command{Op: plugins.Step, Chunk: uint32(number)})
		if i == len(needed)-1 {
			commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: uint32(number)})
		}
		if _, err := rig.Talk.Exchange(commands...); err != nil {
			return err
		}
	}
	return nil
}

// Needed are the chunks with an active vertex at an end that counts.
func (rig *Rig) Needed() (numbers []int) {
	for i, c := range rig.Chunks {
		active := rig.State.Active()
		if has(active, c.rows) || !rig.Plan.ActiveRows && has(active, c.cols) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// has tells whether a vertex of an interval is active.
func has(active []uint64, i chunk.Interval) bool {
	for v := i.Base; v < i.End(); v++ {
		if active[v/64]>>(v%64)&1 != 0 {
			return true
		}
	}
	return false
}

// passes goes on until the procedure has ended. Each pass brings some list, or one of a vertex without any.
func (rig *Rig) passes() (plugins.Iteration, error) {
	rig.t.Helper()
	it, err := rig.Init()
	for err == nil && !it.Converged {
		it, err = rig.streamPass(it)
	}
	return it, err
}
