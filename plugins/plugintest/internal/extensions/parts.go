package extensions

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Parts has two sessions do runs of the catalog together, each with some of the edges,
// in step and settling. They end as the oracle says and, where messages are compared, with the
// bits of one session that has all edges. Sometimes one leaves, and the other goes on alone.
func Parts(t *testing.T, device plugins.Device) { Pairs(t, device, device) }

// Pairs does that with two devices: one that has the dense core of the edges, and one that has the rest, and ends
// what they do in step.
func Pairs(t *testing.T, rest, core plugins.Device) {
	wanted := func(m drive.Mode) bool { return m.Streamed || m.Settled || m.Name == drive.Modes[1].Name }
	trial.EveryProgram(t, rest, wanted, func(t *testing.T, r *rand.Rand, _ plugins.Device, a *algorithms.Algorithm,
		g *algorithms.Graph, m drive.Mode) {
		t.Helper()
		testPair(t, r, rest, core, a, g, m)
	})
}

// pair is two sessions on one arena that have the edges of a graph together.
type pair struct {
	t          testing.TB
	program    *algorithms.Program
	rest, core *drive.Rig
	left       bool        // core has
	rounds     uint32      // of a Settle
	all        arena.Range // a set
	among      arena.Range // whom the edges of core concern; the zero Range: anybody
}

func testPair(t *testing.T, r *rand.Rand, rest, core plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	m drive.Mode) {
	t.Helper()
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	pair := openPair(t, r, rest, core, g, p, m)
	if pair == nil {
		return
	}
	leaves := -1
	if !m.Streamed && r.IntN(3) == 0 {
		leaves = r.IntN(4)
	}
	last := pair.run(leaves)
	got := pair.rest.State.Copies()
	err = p.Divergence(got[0], last.Number, trial.Settled(p, g, last))
	want, wantErr := a.Oracle(g, args)
	if err = trial.Judge(a, g, args, a.ResultOf(got), err, want, wantErr); err == nil && wantErr == nil {
		err = pair.compare(r, rest, last)
	}
	if err != nil {
		t.Errorf("%s, %s, %d vertices, %d edges, %d of them apart, directed %v, one leaves after %d: %v",
			a.Name, m.Name, g.N(), drawn.EdgeCount(g), drawn.EdgeCount(pair.core.Mode.Given(g)), g.Directed, leaves, err)
	}
	pair.close()
}

// openPair cuts the edges in two and begins a session with each half; nil where a device cannot
// do it.
func openPair(t *testing.T, r *rand.Rand, restDevice, coreDevice plugins.Device, g *algorithms.Graph,
	p *algorithms.Program, m drive.Mode) *pair {
	t.Helper()
	inside, outside := drawn.Halves(r, g)
	if m.Settled {
		m.Active = false // each keeps its chunks
	}
	m.Part = &drive.Part{Edges: outside}
	rest := openPart(t, r, restDevice, g, p, m)
	if rest == nil {
		return nil
	}
	m.Streamed, m.Active, m.Part = false, false, &drive.Part{Edges: inside, Beside: rest, Reads: !m.Settled}
	core := openPart(t, r, coreDevice, g, p, m)
	if core == nil {
		return nil
	}
	pair := &pair{t: t, program: p, rest: rest, core: core, rounds: r.Uint32N(3), all: rest.Room.Set}
	if r.IntN(2) == 0 {
		pair.among = core.Room.Set
	}
	for v := range g.N() {
		rest.State.Bitmap(rest.Room.Set)[v/64] |= 1 << (v % 64)
		if inside.Out.Degree(v)+inside.In.Degree(v) > 0 {
			core.State.Bitmap(core.Room.Set)[v/64] |= 1 << (v % 64)
		}
	}
	return pair
}

func openPart(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p *algorithms.Program,
	m drive.Mode) *drive.Rig {
	t.Helper()
	rig, err := drive.Open(t, r, device, g, drive.ProgramWork(t, g, p), m)
	if err == nil && !rig.Plan.Parts {
		err = plugins.Errorf(plugins.KindUnsupported, "the plan does not say Parts")
	}
	if err != nil && plugins.KindOf(err) == plugins.KindUnsupported {
		t.Logf("the device does not do it, %s: %v", m.Name, err)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	rig.Begin(t.Context())
	return rig
}

// compare holds the result against that of one session that has all edges.
func (p *pair) compare(r *rand.Rand, device plugins.Device, last plugins.Iteration) error {
	if reduce := p.program.Reduce; reduce == algorithms.Sum || reduce == algorithms.Prod {
		return nil
	}
	whole, err := trial.RunProgram(p.t, r, device, p.rest.Graph, p.program, drive.Modes[0])
	if err != nil {
		return err
	}
	if last.Number != whole.Last.Number && !ownRounds(p.program) {
		return fmt.Errorf("ended with %+v; one session that has all edges with %+v", last, whole.Last)
	}
	return trial.Differs(p.rest.Graph, p.rest.State.Copies(), whole.Values, trial.SameBits)
}

// run drives both to the end.
func (p *pair) run(leaves int) plugins.Iteration {
	p.t.Helper()
	it := p.ask(p.rest, plugins.Command{Op: plugins.Init})
	for _, rig := range []*drive.Rig{p.rest, p.core} {
		if rig.Mode.Streamed {
			continue
		}
		if err := rig.UploadAll(); err != nil {
			p.t.Fatal(err)
		}
	}
	if p.core.Task.Settle {
		p.ask(p.core, plugins.Command{Op: plugins.Init})
		return p.settle(leaves)
	}
	for bound := p.program.Bound(uint64(p.rest.Graph.N())); !it.Converged && it.Number < bound; leaves-- {
		it = p.step(it, leaves == 0)
	}
	return it
}

// step is an iteration in which core gathers what rest applies, or, when it leaves, has rest take its place.
func (p *pair) step(it plugins.Iteration, leaves bool) plugins.Iteration {
	p.t.Helper()
	p.sent(p.rest)
	if leaves && !p.left {
		p.steps(p.rest, p.leave())
	}
	if !p.left {
		p.ask(p.core, plugins.Command{Op: plugins.Restore, Iteration: it})
		p.sent(p.core)
		for range 2 { // once more there is nothing more to tell
			p.ask(p.core, plugins.Command{Op: plugins.Gather, At: p.core.Room.Told, Among: p.among})
			p.ask(p.rest, plugins.Command{Op: plugins.Deliver, At: p.core.Room.Told, Among: p.among})
		}
	}
	return p.ask(p.rest, plugins.Command{Op: plugins.Apply})
}

// sent has a rig step all chunks that it needs.
func (p *pair) sent(rig *drive.Rig) {
	p.t.Helper()
	if !rig.Mode.Streamed {
		p.steps(rig, rig.Needed())
	} else if err := rig.Pass(); err != nil {
		p.t.Fatal(err)
	}
}

// steps steps chunks that are resident.
func (p *pair) steps(rig *drive.Rig, numbers []int) {
	p.t.Helper()
	for _, number := range numbers {
		if _, err := rig.Talk.Exchange(plugins.Command{Op: plugins.Step, Chunk: uint32(number)}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// leave ends core, and gives its chunks to rest. It returns their numbers there.
func (p *pair) leave() (numbers []int) {
	p.t.Helper()
	p.left = true
	p.core.Talk.Finish()
	for _, d := range p.rest.Plan.Directions {
		for _, chunk := range p.core.Stored[d] {
			number, place := len(p.rest.Chunks), p.core.Room.At[len(numbers)]
			p.rest.Chunks, numbers = append(p.rest.Chunks, chunk), append(numbers, number)
			if _, err := p.rest.Talk.Exchange(p.rest.Uploads.Upload(number, chunk, place)); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	return numbers
}

// settle has both settle at once, and look at each other's state meanwhile.
func (p *pair) settle(leaves int) plugins.Iteration {
	p.t.Helper()
	if leaves >= 0 {
		return p.settleAlone(leaves)
	}
	var both sync.WaitGroup
	both.Go(func() { p.settleBeside(p.rest, p.core) })
	both.Go(func() { p.settleBeside(p.core, p.rest) })
	both.Wait()
	for p.settleBeside(p.rest, p.core) || p.settleBeside(p.core, p.rest) { // one may have ended before the other
	}
	return plugins.Iteration{Converged: true}
}

// settleBeside has own settle, and look at other, until it has nothing more to do. It tells whether it
// has found something in the other's state.
func (p *pair) settleBeside(own, other *drive.Rig) (found bool) {
	p.t.Helper()
	for p.turn(own, other).Active > 0 {
		found = true
	}
	return found
}

// turn is a Settle of one and a look at the other.
func (p *pair) turn(own, other *drive.Rig) plugins.Iteration {
	p.t.Helper()
	first := other.State.Computed()[0]
	p.ask(own, plugins.Command{Op: plugins.Settle, At: p.all, Rounds: p.rounds})
	return p.ask(own, plugins.Command{Op: plugins.Deliver, At: first.Range, Among: p.among})
}

// settleAlone has rest end what both have begun: whom edges of core concern sends anew, if it has
// ever sent.
func (p *pair) settleAlone(turns int) (it plugins.Iteration) {
	p.t.Helper()
	for range turns {
		p.turn(p.core, p.rest)
		it = p.turn(p.rest, p.core)
	}
	p.leave()
	first := p.rest.State.Column(p.rest.State.Computed()[0])
	it.Active = 0
	for v := range p.rest.Graph.N() {
		bit, active := uint64(1)<<(v%64), &p.rest.State.Active()[v/64]
		if !first.IsIdentity(p.program.Reduce, v) {
			*active |= p.core.State.Bitmap(p.core.Room.Set)[v/64] & bit
		}
		it.Active += uint64(bits.OnesCount64(*active & bit))
	}
	p.ask(p.rest, plugins.Command{Op: plugins.Restore, Iteration: it})
	return p.ask(p.rest, plugins.Command{Op: plugins.Settle, At: p.all})
}

// ask does a command that must succeed, and returns the iteration that it comes to.
func (p *pair) ask(rig *drive.Rig, c plugins.Command) (it plugins.Iteration) {
	p.t.Helper()
	answers, err := rig.Talk.Exchange(c)
	if err != nil {
		p.t.Fatalf("command %d: %v", c.Op, err)
	}
	told := answers[0].Iterations
	if len(told) > 0 {
		it = told[len(told)-1]
		rig.Check(it)
		rig.Uploads.Places = it.Places
	} else if c.Op != plugins.Gather && (c.Op != plugins.Deliver || rig.Task.Settle) {
		p.t.Fatalf("command %d told of no iteration", c.Op)
	}
	return it
}

// close ends both sessions.
func (p *pair) close() {
	p.t.Helper()
	if !p.left {
		p.core.Talk.Finish()
	}
	p.rest.Talk.Finish()
	p.core.Close()
	p.rest.Close()
}
