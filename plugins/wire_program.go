package plugins

import (
	"github.com/penstock-db/penstock/algorithms"
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
		EdgeColumns:   p.EdgeColumns,
		Diverged:      p.Diverged,
	}
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
