package ast

// LabelTest is what a pattern asks of the labels of a node, or of the type of a relationship: one of them, or
// others joined by Not, And and Or.
type LabelTest struct {
	Label    string // empty: not one alone
	Op       LabelOp
	Operands []LabelTest // one of Not
	Position
}

// LabelOp joins tests.
type LabelOp uint8

const (
	NotLabel    LabelOp = iota // !A
	BothLabels                 // A&B
	EitherLabel                // A|B
)

// Of is the test as a condition on a node or relationship.
func (t LabelTest) Of(subject Expression) Expression {
	if t.Label != "" {
		return &HasLabels{Position: subject.At(), Subject: subject, Labels: []string{t.Label}}
	}
	if t.Op == NotLabel {
		return &Unary{Position: t.Position, Op: Not, Operand: t.Operands[0].Of(subject)}
	}
	left, right := t.Operands[0].Of(subject), t.Operands[1].Of(subject)
	if t.Op == EitherLabel {
		return &Binary{Position: t.Position, Op: Or, Left: left, Right: right}
	}
	if a, ok := left.(*HasLabels); ok {
		if b, ok := right.(*HasLabels); ok {
			return &HasLabels{Position: subject.At(), Subject: subject, Labels: append(a.Labels, b.Labels...)}
		}
	}
	return &Binary{Position: t.Position, Op: And, Left: left, Right: right}
}

// Of one kind of operator throughout, these are the labels that it joins; else nil.
func (t LabelTest) OnlyJoined(op LabelOp) []string {
	if t.Label != "" {
		return []string{t.Label}
	}
	if t.Op != op || op == NotLabel {
		return nil
	}
	left, right := t.Operands[0].OnlyJoined(op), t.Operands[1].OnlyJoined(op)
	if left == nil || right == nil {
		return nil
	}
	return append(left, right...)
}
