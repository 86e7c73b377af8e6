package algorithms

// Interpreter is RunProgram taken apart: for a device that is given a graph piece by
// piece and wants the definition to do the computing.
//
//	NewInterpreter ──▶ Active, State ──Send, Send, …──▶ Apply ──▶ Active, State ──▶ …
type Interpreter struct {
	run *run
	acc Values // what has arrived in this iteration
}

// NewInterpreter gives every vertex its first state. Of g it reads the ids, the degrees,
// the vertex properties that p names, and the names of edge properties, never a neighbor. p is not changed.
func NewInterpreter(g *Graph, p *Program) (*Interpreter, error) {
	r, err := newRun(g, p)
	if err != nil {
		return nil, err
	}
	if err := r.init(); err != nil {
		return nil, err
	}
	return &Interpreter{run: r, acc: r.noMessages()}, nil
}

// Send lets every active vertex send along its list in lists, which hold each vertex of
// the graph, and perhaps not all of its edges.
func (i *Interpreter) Send(lists Lists) error { return i.run.send(lists, i.acc) }

// Apply ends an iteration. The change is by the program's Norm.
func (i *Interpreter) Apply() (change float64, converged bool, err error) {
	p, err := i.run.advance(i.acc)
	i.acc = i.run.noMessages()
	return p.change, p.converged, err
}

// State is one slice for each state column. Apply makes new ones.
func (i *Interpreter) State() []Values { return i.run.state }

// Active says of each vertex whether it sends next. Apply changes it.
func (i *Interpreter) Active() []bool { return i.run.active }
