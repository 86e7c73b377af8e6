package algorithms

import (
	"slices"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/proto"
)

// With is p with other values for the constants of the same name and type, in its checked
// expressions as well: what p is for another source. Constants that p has not are left out.
func (p *Program) With(constants ...Constant) *Program {
	own := *p
	own.Constants = slices.Clone(p.Constants)
	for i, c := range own.Constants {
		at := slices.IndexFunc(constants, func(other Constant) bool { return other.Name == c.Name && other.Type == c.Type })
		if at >= 0 {
			own.Constants[i] = constants[at]
		}
	}
	own.Process = own.revalued(p.Process)
	own.State = slices.Clone(p.State)
	for i, s := range own.State {
		own.State[i].Init, own.State[i].Apply = own.revalued(s.Init), own.revalued(s.Apply)
	}
	own.Aggregates = slices.Clone(p.Aggregates)
	for i, a := range own.Aggregates {
		own.Aggregates[i].Expr = own.revalued(a.Expr)
	}
	return &own
}

// revalued is e with the values that p's constants have. They stand in the references of its
// checked form, beside their names.
func (p *Program) revalued(e Expr) Expr {
	if e.Checked == nil {
		return e
	}
	e.Checked = proto.CloneOf(e.Checked)
	for _, reference := range e.Checked.GetReferenceMap() {
		at := slices.IndexFunc(p.Constants, func(c Constant) bool { return c.Name == reference.GetName() })
		if at >= 0 && reference.GetValue() != nil {
			reference.Value = p.Constants[at].literal()
		}
	}
	return e
}

// literal is the constant as a checked expression has it.
func (c Constant) literal() *exprpb.Constant {
	switch c.Type {
	case Float:
		return &exprpb.Constant{ConstantKind: &exprpb.Constant_DoubleValue{DoubleValue: c.Float}}
	case Bool:
		return &exprpb.Constant{ConstantKind: &exprpb.Constant_BoolValue{BoolValue: c.Int != 0}}
	}
	return &exprpb.Constant{ConstantKind: &exprpb.Constant_Int64Value{Int64Value: c.Int}}
}
