package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Intervals is a grid over the state of vertices that does not fit a device: the vertices are cut into intervals, and
// a device has two at a time, one that sends and one that receives (Ma et al., "NeuGraph: Parallel Deep Neural
// Network Computation on Large Graphs", ATC'19, section 3.1). Its session is one of a small graph:
//
//	0           Vertices        2·Vertices
//	│ sources    │ destinations  │
//
// The state of all vertices is in a scratch arena, twice: of the last iteration (Task.Layout) and of the next (Next).
// Where intervals settle, of the next there is but the active set.
type Intervals struct {
	Count    int              // of intervals: the fewest that fit
	Vertices uint64           // of each but the last, which may have fewer; a multiple of 64
	Program  CellProgram      // that the session has
	Inputs   plugins.Layout   // the inputs of all vertices, as they are filled into the arena
	Cells    []plugins.Layout // of the session of each device
	Sets     []arena.Range    // for each device, where it settles: for the bitmap of a Settle
	Next     plugins.Layout   // in the scratch arena
	Scratch  uint64           // bytes of the scratch arena
	Whole    uint64           // the least budget with which the state is not cut, by this schedule
	Crumbs   bool             // the state fits, but beside it edges would fall apart into many small pieces
	Settles  bool             // intervals are brought to local convergence, as far as the edges among them fit
	Spared   uint64           // bytes of the budget that are left to the scratch arena's pages and to programs
}

// Settling tells whether there are intervals that are brought to local convergence.
func (v *Intervals) Settling() bool { return v != nil && v.Settles }

// sides is how many intervals a session has.
const sides = 2

// setWord is how many vertices a word of a set has; intervals begin at whole words.
const setWord = 64

// Interval is one of the vertices, by its number.
func (v Intervals) Interval(i int, vertices uint64) chunk.Interval {
	base := uint64(i) * v.Vertices
	return chunk.Interval{Base: base, Count: min(v.Vertices, vertices-base)}
}

// Session is how many of all vertices the device's session has. Without intervals it has all.
func (v *Intervals) Session(all uint64) uint64 {
	if v == nil {
		return all
	}
	return sides * v.Vertices
}

// SlotsOf are those of a device, by its number: each has as many.
func (v *Intervals) SlotsOf(device int, f Fit) []Slot {
	each := len(f.Slots) / len(v.Cells)
	return f.Slots[device*each:][:each]
}

// pieces is into how many pieces the edges of an iteration fall apart, at most, before the state is cut instead, where
// all vertices send in each. A piece takes as long as some 200 KB of edges (docs/experiments.md, "A little more than the
// state"); with two intervals on the device, an iteration moves the state a few times, in a few large pieces.
const pieces = 64

// roomy is the least budget with which edges do not fall apart into more pieces.
func roomy(p *Plan) uint64 {
	return p.Kernel.Fixed + p.setBytes() + min(p.Fit.Largest, max(leastSlot, Aligned(divideUp(p.Fit.All, pieces))))
}

// crumbles tells whether a plan of a run that streams had better have its state cut: by a schedule that goes by what it
// costs, of a program all of whose vertices send in each iteration, so that all pieces come each time.
func (t Terms) crumbles(p *Plan) bool {
	return t.cutsCrumbs(p.Computation) && !p.Fit.Resident && t.Budget < roomy(p)
}

// cutsCrumbs: several devices have but a part of the edges each.
func (t Terms) cutsCrumbs(c Computation) bool {
	return t.Devices == 1 && t.uncut(c) == "" && c.Schedule.Needs.Measures && c.Task.Program.Activity == algorithms.Always
}

// withoutCrumbs agrees on intervals where a plan that keeps all state crumbles, or gives that plan back. over is what
// such a plan needs.
func (t Terms) withoutCrumbs(over *BudgetError) (*Plan, error) {
	q, err := t.withIntervals(t.Computation.FromSources(nil), over)
	if refuses(err) {
		return t.agree() // the devices have compiled the task of the plan last
	}
	return q, err
}

// raised agrees on a budget above the default one, which is half of the memory, where the state would be cut into
// intervals with no more: to read and write all state in each iteration takes longer than anything that the other half
// could be for. There is no plan if that is no use, or there is no more memory. over says what is missing.
func (t Terms) raised(over *BudgetError) (*Plan, error) {
	if t.Most == nil || !t.cutsCrumbs(t.Computation) {
		return nil, nil
	}
	most := t.Most()
	if most <= t.Budget || most < over.roomy || over.roomy == 0 {
		return nil, nil
	}
	given := t.Budget
	t.Budget, t.Most = min(most, max(over.ample, over.roomy, t.Machine/8*staying)), nil
	p, err := t.agree()
	var small *BudgetError
	if errors.As(err, &small) || err == nil && t.crumbles(p) {
		return nil, nil
	}
	if err == nil {
		p.Raised = t.Budget - min(t.Budget, given)
	}
	return p, err
}

// staying is how many eighths of the memory a budget is raised to at least, if there are so many: chunks that stay on
// the device need not be read again. In 80 MiB, PageRank of RMAT 20 reads a tenth less for it.
const staying = 5

// ample is the budget with which there are as many slots as are of use, each for any chunk.
func ample(p *Plan) uint64 {
	return p.Kernel.Fixed + maxSlots*(p.Fit.Largest+p.slack()+p.setBytes())
}

// raisedBy says of a budget that it is above the default.
func raisedBy(bytes uint64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("; the budget is %s above the default, so that the state need not be cut", humanize.IBytes(bytes))
}

// withIntervals agrees on intervals where the state does not fit, or gives the refusal back.
func (t Terms) withIntervals(c Computation, over *BudgetError) (*Plan, error) {
	if why := t.uncut(c); why != "" {
		over.Advice += why
		return nil, over
	}
	c.Task.Settle, c.Task.ActiveRows, c.Task.Places, c.Task.Intervals, c.Task.Restorable = false, false, false, true, true
	p, err := (&gridding{Terms: t, c: c, settles: t.settlesIntervals(c)}).agree()
	var small *BudgetError
	if errors.Is(err, errNoInterval) || errors.As(err, &small) && small.Need >= over.Need {
		return nil, over
	}
	if err == nil {
		p.Unsettled = t.Unsettled
		p.Intervals.Whole, p.Fit.Together = over.Need, over.together
		if t.cutsCrumbs(c) {
			p.Intervals.Whole = max(over.Need, over.roomy)
		}
		p.Intervals.Crumbs = t.Budget >= over.Need
	}
	return p, err
}

// settlesIntervals tells whether intervals may be brought to local convergence, by schedules that allow it: programs
// whose state stays as it is where no message comes, and only improves where one does, until none comes; and sums that
// come to an end where edges lead around no cycle.
func (t Terms) settlesIntervals(c Computation) bool {
	p := c.Task.Program
	improves := c.Stays() && p.Order == algorithms.Monotone && p.Norm == algorithms.NoNorm
	sums := p.AddsUp() && p.Diverged != ""
	return (improves || sums) && t.Unsettled == "" && !c.Request.Synchronous && c.Schedule.Needs.Settle != schedule.Never
}

// cellProgram is a program as cells compute it.
func (g *gridding) cellProgram() (CellProgram, error) {
	key := cellKey{g.c.Task.Program, g.settles}
	if made, ok := g.programs[key]; ok {
		return made, nil
	}
	made, err := forCells(*key.of, g.Graph.Manifest().Vertices, numericEdgeColumns(g.Graph.Manifest()))
	if err == nil && key.settles {
		made.MaxIterations = key.of.MaxIterations // no more than the session has vertices of, if there is no other bound
	}
	if err == nil && g.programs != nil {
		g.programs[key] = made
	}
	return made, err
}

// cellKey is what a program of cells is made for.
type cellKey struct {
	of      *algorithms.Program
	settles bool
}

// uncut is what to say where the state is not cut into intervals.
func (t Terms) uncut(c Computation) string {
	switch {
	case c.Task.Program == nil:
		return "; the state of a procedure is not cut into intervals"
	case t.CompileCell == nil:
		return "; " + t.Uncut
	case !c.Schedule.Needs.Intervals:
		return ", or --schedule neugraph to cut the state of vertices into intervals"
	}
	return ""
}

// errNoInterval says that there are too few vertices to cut, or that the device does not take it up.
var errNoInterval = errors.New("there are no intervals")

// beside is the budget less what the machine's memory has no room for: the programs, and the scratch arena, all of
// which is read and written in each iteration. A third of what the programs leave is for the device in any case, since
// of a larger scratch arena most is not in memory when it is needed.
// Several devices have as much each.
func beside(budget, machine, scratch, devices uint64) uint64 {
	if machine <= programs { // it is not known, or too little by far
		return budget
	}
	room := machine - programs
	return min(budget, max(room-min(room, scratch), room/3)/devices)
}

// scratch is what the state of all vertices takes: that of the last iteration, and of the next, unless it is in place.
type scratch struct{ last, next plugins.Layout }

func (t Terms) scratch(c Computation, inPlace bool) (s scratch, bytes uint64) {
	var places Placer
	all := t.Graph.Manifest().Vertices
	s.last = places.Layout(c.Columns, all)
	next := c.Columns[c.Inputs():]
	if inPlace {
		next = nil
	}
	s.next = places.Layout(next, all)
	return s, places.Used
}

// gridding looks for the fewest intervals.
type gridding struct {
	Terms
	c       Computation
	settles bool   // intervals, by themselves
	tight   bool   // slots need no room for the edges among an interval's vertices
	none    uint64 // what a session takes of the budget with next to no vertices
	program CellProgram
}

// agree is smallest, without room for an interval's own edges where there are no intervals with that, and without local
// convergence where the device does not do it.
func (g *gridding) agree() (p *Plan, err error) {
	if g.program, err = g.cellProgram(); err != nil {
		return nil, err
	}
	if p, err = g.smallest(); err == nil || !g.settles {
		return p, err
	}
	switch kind := plugins.KindOf(err); {
	case refuses(err), errors.Is(err, errNoInterval), kind == plugins.KindUnsupported,
		kind == plugins.KindInvalid: // what older devices say of intervals that settle
		g.settles, g.tight = errors.Is(err, errNoInterval) && !g.tight, true
		return g.agree()
	}
	return nil, err
}

// smallest is the plan with the fewest intervals, but one for each device. Two of them must be less than all vertices.
// It fails with a *BudgetError where not even the least fit.
func (g *gridding) smallest() (*Plan, error) {
	all := g.Graph.Manifest().Vertices
	if all <= sides*setWord {
		return nil, errNoInterval
	}
	need, err := g.leastBudget()
	if err != nil {
		return nil, err
	}
	if g.Budget < need {
		return nil, &BudgetError{What: "a piece of a chunk beside two of the least intervals of its state", Need: need,
			Have: g.Budget, Advice: fmt.Sprintf("give --device-memory %dB", need)}
	}
	given := g.Budget
	_, scratch := g.scratch(g.c, g.settles)
	g.Budget = max(need, beside(g.Budget, g.Machine, scratch, uint64(g.Devices)))
	least, most := uint64(0), (all-1)/(sides*setWord) // words of an interval: the first fit, more than most do not
	for least < most {
		middle := (least + most + 1) / 2
		p, err := g.with(middle * setWord)
		switch {
		case err != nil:
			return nil, err
		case p == nil:
			most = middle - 1
		default:
			least = middle
		}
	}
	if least == 0 {
		return nil, errNoInterval
	}
	count := max(divideUp(all, least*setWord), uint64(g.Devices))
	p, err := g.with(divideUp(divideUp(all, count), setWord) * setWord) // even ones leave more room
	if err == nil && p == nil {
		p, err = g.with(least * setWord)
	}
	if err == nil {
		p.Fit.Minimum, p.Budget, p.Intervals.Spared = need, given, given-g.Budget
	}
	return p, err
}

// leastBudget is that with which intervals of one word fit.
func (g *gridding) leastBudget() (uint64, error) {
	terms := g.Terms
	terms.Budget = math.MaxInt64
	p, err := (&gridding{Terms: terms, c: g.c, settles: g.settles, tight: true, program: g.program}).with(setWord)
	if err != nil {
		return 0, err
	}
	if p == nil {
		return 0, errNoInterval
	}
	g.none = p.Kernel.Fixed
	used := p.Fit.Used - uint64(len(p.Intervals.SlotsOf(0, p.Fit)))*p.Fit.Capacity
	return min(used+allEdges(p), max(used+leastSlot, divideUp(slotShare*used, slotShare-1))), nil
}

func divideUp(n, by uint64) uint64 { return (n + by - 1) / by }

// with has the device compile a session with intervals of so many vertices. There is no plan if it does not fit.
func (g *gridding) with(vertices uint64) (*Plan, error) {
	all := g.Graph.Manifest().Vertices
	v := &Intervals{Vertices: vertices, Count: int(divideUp(all, vertices)), Program: g.program, Settles: g.settles}
	task := g.c.Task
	task.Program, task.Settle = g.program.Program, g.settles
	inputs := g.c.Columns[:g.c.Inputs()]
	columns := slices.Clip(inputs)
	for _, s := range g.program.State {
		columns = append(columns, algorithms.Column{Name: s.Name, Type: s.Type})
	}
	places := Placer{Used: g.Arena.Columns}
	for range g.Devices {
		v.Cells = append(v.Cells, places.Layout(columns, sides*vertices))
		if g.settles {
			v.Sets = append(v.Sets, places.Place(BitmapBytes(sides*vertices)))
		}
	}
	if places.Used-g.Arena.Columns > max(g.Occupied, columnRoom*8*all) {
		return nil, nil
	}
	task.Layout = v.Cells[0]
	kernel, err := g.CompileCell(task, v.Cells, sides*vertices, g.Budget)
	if plugins.KindOf(err) == plugins.KindBudget {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !kernel.Intervals || !kernel.Restores || g.settles && (!kernel.Settles || !kernel.ActiveRows) {
		return nil, errNoInterval
	}
	v.Inputs = (&Placer{Used: g.Arena.Columns}).Layout(g.c.Columns, all)
	c := g.c
	var s scratch
	s, v.Scratch = g.scratch(c, g.settles)
	c.Task.Layout, v.Next = s.last, s.next
	return g.fitIntervals(c, kernel, v)
}

// slotShare is what part of the budget a slot has at least, so that cells do not fall apart into small pieces.
const slotShare = 8

// among is what slots had better have room for, so that intervals settle: the edges of an interval, if all were among
// its own vertices, as on a road map. Where that is more than twice what these vertices take in a session, most graphs
// have their edges elsewhere, and more intervals would have fewer among themselves: then it is nothing.
func (g *gridding) among(p *Plan) uint64 {
	if !g.settles || g.tight {
		return 0
	}
	all, lists, edges := p.Graph.Manifest().Vertices, uint64(0), uint64(0)
	for _, c := range p.Chunks {
		lists, edges = lists+c.Info.Rows.Count, edges+c.Info.Edges
	}
	average := float64(p.Intervals.Vertices) / float64(all) * float64(listBytes*lists+p.Sizes().Entry()*edges)
	if session := p.Kernel.Fixed - min(p.Kernel.Fixed, g.none); crowded*average > 2*float64(session) {
		return 0
	}
	return Aligned(uint64(crowded*average) + 2*p.Sizes().PartRoom())
}

// crowded is how many edges an interval may have more than the average, to fit all the same.
const crowded = 1.25

// setBytes is what the bitmap of a Settle takes.
func (v *Intervals) setBytes() uint64 {
	if !v.Settles {
		return 0
	}
	return Aligned(v.Sets[0].Length)
}

// end is behind what the sessions of all devices take of the arena, but for slots.
func (v *Intervals) end() uint64 {
	if n := len(v.Sets); n > 0 {
		return v.Sets[n-1].End()
	}
	return v.Cells[len(v.Cells)-1].Active.End()
}

// fitIntervals places the slots beside what a session takes. There is no plan if none has room.
func (g *gridding) fitIntervals(c Computation, kernel plugins.Plan, v *Intervals) (*Plan, error) {
	t := g.Terms
	p, err := t.begin(c, kernel)
	if err != nil {
		return nil, err
	}
	p.Intervals, p.Streaming = v, Streaming{Files: true}
	f := &p.Fit
	for _, each := range p.Chunks {
		f.All += Aligned(each.Device)
		f.Largest = max(f.Largest, Aligned(each.Device+p.Sizes().PartRoom()))
	}
	f.Used = kernel.Fixed + v.setBytes()
	f.Arena = v.end() - t.Arena.Columns
	least := min(allEdges(p), max(leastSlot, t.Budget/slotShare, g.among(p)))
	if t.Budget < f.Used+least {
		return nil, nil
	}
	if len(p.Chunks) == 0 {
		return p, nil
	}
	room := t.Budget - f.Used
	n := max(1, min(2, room/least))
	f.Capacity = min(allEdges(p), room/n) / arena.Align * arena.Align
	all := n * uint64(t.Devices) * SlotBytes(f.Capacity)
	below := Downward{t.Arena.Columns}
	if t.Devices > 1 { // room for parts is of more chunks than all devices have slots for
		below.At = t.Arena.Parts.Offset + all
	}
	for range t.Devices {
		for k := range n {
			f.Slots = append(f.Slots, Slot{At: below.Place(SlotBytes(f.Capacity)), Part: uint32(k)})
		}
	}
	f.Used += n * f.Capacity
	f.Arena += all
	f.Scarce = t.Machine > 0 && GraphBytes(t.Graph) > t.Machine/2
	return p, nil
}

// allEdges is what all would take as one piece of a cell.
func allEdges(p *Plan) uint64 {
	if len(p.Chunks) == 0 {
		return 0
	}
	return p.Fit.All + Aligned(p.Sizes().PartRoom())
}

// why says how many intervals there are of all vertices.
func (v *Intervals) why(all uint64) string {
	what := "does not fit the budget"
	if v.Crumbs {
		what = fmt.Sprintf("leaves edges no room for but more than %d pieces in each iteration", pieces)
	}
	why := fmt.Sprintf("the state of %d vertices %s: it is cut into %d intervals of %d, of which two are on %s", all,
		what, v.Count, v.Vertices, v.where())
	if v.Settles {
		why += "; each is brought to local convergence, where the edges among its vertices fit"
	}
	if v.Spared > 0 {
		why += fmt.Sprintf("; %s of the budget are left to the file of the state, of %s, and to the programs: the machine "+
			"has no more memory", humanize.IBytes(v.Spared), humanize.IBytes(v.Scratch))
	}
	return why
}

// where two of them are.
func (v *Intervals) where() string {
	if len(v.Cells) > 1 {
		return "each device"
	}
	return "the device"
}
