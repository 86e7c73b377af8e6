package check

// bindings are what patterns and changes bind and name: a scope in which a checker goes through them.
type bindings struct {
	*checker
	*scope
}

// in is a scope to check in.
func (c *checker) in(s *scope) bindings { return bindings{c, s} }

// place is that of an expression of its own: it cannot have aggregate functions, and decides nothing.
func (b bindings) place() env { return env{bindings: b} }
