package algorithms

// AddsUp tells whether p, which is checked, begins with a term of each vertex, and ends where each has its term and
// what its neighbors have, added up: numbers of paths are such sums. Around a cycle that a term above 0 reaches they
// grow for ever, where no term is below 0.
func (p *Program) AddsUp() bool {
	if p.Reduce != Sum || p.Activity != Always || p.Order != Synchronous || p.Norm == NoNorm || p.Tolerance > 0 ||
		p.Exactly || p.MaxIterations > 0 || len(p.State) != 1 || p.State[0].Type != Float {
		return false
	}
	s := p.State[0]
	init, apply := s.Init.Checked, s.Apply.Checked
	sum := apply.GetExpr().GetCallExpr()
	if variable(p.Process.Checked, p.Process.Checked.GetExpr()) != "src."+s.Name || sum.GetFunction() != "_+_" {
		return false
	}
	term, came := sum.GetArgs()[0], sum.GetArgs()[1]
	if variable(apply, term) == "acc" {
		term, came = came, term
	}
	// Init says of a vertex what Apply says of self, which has a value beside that.
	same := func(name, other string) bool { return name == other || name == "self."+other && other != s.Name }
	return variable(apply, came) == "acc" && alike(apply, term, init, init.GetExpr(), same)
}
