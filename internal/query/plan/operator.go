package plan

// Operator makes rows, most of them from those of its input.
type Operator interface {
	Source() Operator    // its input; nil: it takes the row that it is run for
	Inner() []Operator   // what it runs for each row, or besides its input
	Rows() float64       // estimated
	Number() int         // within the plan, from 0
	Title() string       // what it is
	Detail() string      // what it does here
	expect(rows float64) // sets the estimate
}

// Step is what all operators have.
type Step struct {
	Input  Operator
	rows   float64
	number int
}

func (s *Step) Source() Operator    { return s.Input }
func (s *Step) Inner() []Operator   { return nil }
func (s *Step) Rows() float64       { return s.rows }
func (s *Step) Number() int         { return s.number }
func (s *Step) Detail() string      { return "" }
func (s *Step) expect(rows float64) { s.rows = rows }

// step makes an operator's Step, which at first is thought to keep the number of rows.
func (p *planner) step(input Operator) Step {
	s := Step{Input: input, rows: 1, number: p.steps}
	if input != nil {
		s.rows = input.Rows()
	}
	p.steps++
	return s
}

// expecting sets the estimate of an operator.
func expecting[O Operator](op O, rows float64) O {
	op.expect(rows)
	return op
}
