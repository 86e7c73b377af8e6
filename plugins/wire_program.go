package plugins

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/arena"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

func programToWire(p *algorithms.Program) *pb.Program {
	return &pb.Program{
		Name:          p.Name,
		State:         mapped(p.State, stateToWire),
		Process:       exprToWire(p.Process),
		Reduce:        enumToWire[pb.Reduce](p.Reduce),
		Edges:         enumToWire[pb.Edges](p.Edges),
		Activity:      enumToWire[pb.Activity](p.Activity),
		Norm:          enumToWire[pb.Norm](p.Norm),
		Tolerance:     p.Tolerance,
		MaxIterations: int64(p.MaxIterations),
		Exactly:       p.Exactly,
		Order:         enumToWire[pb.Order](p.Order),
		Aggregates:    mapped(p.Aggregates, aggregateToWire),
		Constants:     mapped(p.Constants, constantToWire),
		Properties:    mapped(p.Properties, propertyToWire),
		EdgeColumns:   p.EdgeColumns,
		Diverged:      p.Diverged,
	}
}

func propertyToWire(p algorithms.Property) *pb.Property {
	return &pb.Property{Name: p.Name, Type: enumToWire[pb.Type](p.Type)}
}

func (d *decoder) property(p *pb.Property) algorithms.Property {
	return algorithms.Property{Name: p.GetName(), Type: enumFromWire[algorithms.Type](d, p.GetType())}
}

func programFromWire(d *decoder, p *pb.Program) *algorithms.Program {
	return &algorithms.Program{
		Name:          p.GetName(),
		State:         mapped(p.GetState(), d.state),
		Process:       exprFromWire(p.GetProcess()),
		Reduce:        enumFromWire[algorithms.Reduce](d, p.GetReduce()),
		Edges:         enumFromWire[algorithms.Edges](d, p.GetEdges()),
		Activity:      enumFromWire[algorithms.Activity](d, p.GetActivity()),
		Norm:          enumFromWire[algorithms.Norm](d, p.GetNorm()),
		Tolerance:     p.GetTolerance(),
		MaxIterations: int(p.GetMaxIterations()),
		Exactly:       p.GetExactly(),
		Order:         enumFromWire[algorithms.Order](d, p.GetOrder()),
		Aggregates:    mapped(p.GetAggregates(), aggregateFromWire),
		Constants:     mapped(p.GetConstants(), d.constant),
		Properties:    mapped(p.GetProperties(), d.property),
		EdgeColumns:   p.GetEdgeColumns(),
		Diverged:      p.GetDiverged(),
	}
}

func exprToWire(e algorithms.Expr) *pb.Expr {
	return &pb.Expr{Source: e.Source, Checked: e.Checked}
}

func exprFromWire(e *pb.Expr) algorithms.Expr {
	return algorithms.Expr{Source: e.GetSource(), Checked: e.GetChecked()}
}

func stateToWire(s algorithms.State) *pb.State {
	return &pb.State{
		Name:  s.Name,
		Type:  enumToWire[pb.Type](s.Type),
		Init:  exprToWire(s.Init),
		Apply: exprToWire(s.Apply),
	}
}

func (d *decoder) state(s *pb.State) algorithms.State {
	return algorithms.State{
		Name:  s.GetName(),
		Type:  enumFromWire[algorithms.Type](d, s.GetType()),
		Init:  exprFromWire(s.GetInit()),
		Apply: exprFromWire(s.GetApply()),
	}
}

func aggregateToWire(a algorithms.Aggregate) *pb.Aggregate {
	return &pb.Aggregate{Name: a.Name, Expr: exprToWire(a.Expr)}
}

func aggregateFromWire(a *pb.Aggregate) algorithms.Aggregate {
	return algorithms.Aggregate{Name: a.GetName(), Expr: exprFromWire(a.GetExpr())}
}

func constantToWire(c algorithms.Constant) *pb.Constant {
	return &pb.Constant{Name: c.Name, Type: enumToWire[pb.Type](c.Type), Float: c.Float, Int: c.Int}
}

func (d *decoder) constant(c *pb.Constant) algorithms.Constant {
	return algorithms.Constant{
		Name:  c.GetName(),
		Type:  enumFromWire[algorithms.Type](d, c.GetType()),
		Float: c.GetFloat(),
		Int:   c.GetInt(),
	}
}

func networkToWire(n *Network) *pb.Network {
	if n == nil {
		return nil
	}
	places := make(map[*dataflow.Value]uint32, len(n.Values))
	for i, v := range n.Values {
		places[v] = uint32(i)
	}
	of := func(v *dataflow.Value) uint32 { return places[v] }
	return &pb.Network{
		Values:     mapped(n.Values, func(v *dataflow.Value) *pb.Value { return valueToWire(v, of) }),
		Inputs:     mapped(n.Inputs, tensorToWire),
		Parameters: rangeToWire(n.Parameters),
		Passes: mapped(n.Passes, func(p NetworkPass) *pb.Pass {
			return &pb.Pass{Roots: mapped(p.Roots, of), At: rangeToWire(p.At), Drops: p.Drops, Batched: p.Batched}
		}),
		SelfLoops: n.SelfLoops,
		Grid:      gridToWire(n.Grid),
		Batch:     batchToWire(n.Batch),
		Halves:    halvesToWire(n.Halves),
	}
}

// networkFromWire refuses values that do not fit together.
func networkFromWire(d *decoder, w *pb.Network) *Network {
	if w == nil {
		return nil
	}
	n := &Network{Parameters: rangeFromWire(w.GetParameters()), SelfLoops: w.GetSelfLoops(),
		Inputs: mapped(w.GetInputs(), tensorFromWire)}
	for _, v := range w.GetValues() {
		n.Values = append(n.Values, d.value(v, n.Values))
	}
	if err := dataflow.Check(n.Values); err != nil {
		d.fail("network: %v", err)
	}
	n.Passes = mapped(w.GetPasses(), func(p *pb.Pass) NetworkPass {
		return NetworkPass{Roots: d.pick(n.Values, p.GetRoots()), At: rangeFromWire(p.GetAt()), Drops: p.GetDrops(),
			Batched: p.GetBatched()}
	})
	n.Grid = gridFromWire(d, w.GetGrid())
	n.Batch = batchFromWire(w.GetBatch())
	n.Halves = halvesFromWire(w.GetHalves())
	return n
}

func batchToWire(b *Batch) *pb.Batch {
	if b == nil {
		return nil
	}
	lists := func(l BatchLists) *pb.BatchLists {
		return &pb.BatchLists{Offsets: rangeToWire(l.Offsets), Others: rangeToWire(l.Others),
			Properties: mapped(l.Properties, rangeToWire)}
	}
	return &pb.Batch{Vertices: b.Vertices, Edges: b.Edges, Targets: lists(b.Lists[dataflow.AtTarget]),
		Sources: lists(b.Lists[dataflow.AtSource]), Inputs: mapped(b.Inputs, tensorToWire),
		Rows: rangeToWire(b.Rows)}
}

func batchFromWire(w *pb.Batch) *Batch {
	if w == nil {
		return nil
	}
	lists := func(l *pb.BatchLists) BatchLists {
		return BatchLists{Offsets: rangeFromWire(l.GetOffsets()), Others: rangeFromWire(l.GetOthers()),
			Properties: mapped(l.GetProperties(), rangeFromWire)}
	}
	return &Batch{Vertices: w.GetVertices(), Edges: w.GetEdges(), Inputs: mapped(w.GetInputs(), tensorFromWire),
		Lists: [2]BatchLists{dataflow.AtTarget: lists(w.GetTargets()), dataflow.AtSource: lists(w.GetSources())},
		Rows:  rangeFromWire(w.GetRows())}
}

func gridToWire(g *Grid) *pb.Grid {
	if g == nil {
		return nil
	}
	return &pb.Grid{Targets: g.Sections[dataflow.AtTarget], Sources: g.Sections[dataflow.AtSource], Each: g.Each,
		Rows: mapped(g.Rows[:], rangeToWire), Cells: mapped(g.Cells[:], rangeToWire), Shared: g.Shared, Stays: g.Stays,
		Sums: rangeToWire(g.Sums)}
}

func gridFromWire(d *decoder, w *pb.Grid) *Grid {
	if w == nil {
		return nil
	}
	g := &Grid{Each: w.GetEach(), Sections: [2][]uint64{w.GetTargets(), w.GetSources()}, Shared: w.GetShared(),
		Stays: w.GetStays(), Sums: rangeFromWire(w.GetSums())}
	if len(w.GetRows()) != len(g.Rows) || len(w.GetCells()) != len(g.Cells) {
		d.fail("network: a grid has two regions of rows, and two of cells, not %d and %d", len(w.GetRows()), len(w.GetCells()))
		return g
	}
	copy(g.Rows[:], mapped(w.GetRows(), rangeFromWire))
	copy(g.Cells[:], mapped(w.GetCells(), rangeFromWire))
	return g
}

func valueToWire(v *dataflow.Value, of func(*dataflow.Value) uint32) *pb.Value {
	return &pb.Value{Op: v.Op.String(), Place: uint32(v.Place), Rows: uint32(v.Rows), Width: uint32(v.Width),
		Args: mapped(v.Args, of), Name: v.Name, Number: v.Number, Draw: uint32(v.Draw), End: uint32(v.End),
		Varies: v.Varies}
}

func (d *decoder) value(w *pb.Value, earlier []*dataflow.Value) *dataflow.Value {
	op, known := dataflow.OpNamed(w.GetOp())
	if !known {
		d.fail("network: there is no operator %q here", w.GetOp())
	}
	return &dataflow.Value{ID: len(earlier), Op: op, Place: dataflow.Place(min(w.GetPlace(), 255)), Rows: int(w.GetRows()),
		Width: int(w.GetWidth()), Args: d.pick(earlier, w.GetArgs()), Name: w.GetName(), Number: w.GetNumber(),
		Draw: int(w.GetDraw()), End: dataflow.End(min(w.GetEnd(), 255)), Varies: w.GetVaries()}
}

// pick finds values by their places.
func (d *decoder) pick(values []*dataflow.Value, places []uint32) []*dataflow.Value {
	return mapped(places, func(i uint32) *dataflow.Value {
		if int(i) >= len(values) {
			d.fail("network: value %d where there are %d", i, len(values))
			return nil
		}
		return values[i]
	})
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = Errorf(KindInvalid, format, args...)
	}
}

func tensorToWire(t Tensor) *pb.Tensor {
	return &pb.Tensor{Name: t.Name, Numbers: rangeToWire(t.Numbers), Offsets: rangeToWire(t.Offsets),
		Columns: rangeToWire(t.Columns)}
}

func tensorFromWire(w *pb.Tensor) Tensor {
	return Tensor{Name: w.GetName(), Numbers: rangeFromWire(w.GetNumbers()), Offsets: rangeFromWire(w.GetOffsets()),
		Columns: rangeFromWire(w.GetColumns())}
}
func halvesToWire(h *Halves) *pb.Halves {
	if h == nil {
		return nil
	}
	return &pb.Halves{Each: h.Each, Rows: h.Rows, InDegree: rangeToWire(h.Degrees[dataflow.AtTarget]),
		OutDegree: rangeToWire(h.Degrees[dataflow.AtSource])}
}

func halvesFromWire(w *pb.Halves) *Halves {
	if w == nil {
		return nil
	}
	return &Halves{Each: w.GetEach(), Rows: w.GetRows(), Degrees: [2]arena.Range{
		dataflow.AtTarget: rangeFromWire(w.GetInDegree()), dataflow.AtSource: rangeFromWire(w.GetOutDegree())}}
}
