package chunk

// Places are entries of a list, by where they stand in it: from From on, which is 0 for the
// first, up to To, or to the end where To is 0. The zero value is all of the list.
type Places struct{ From, To uint32 }

// In is how many entries a list of so many has there.
func (p Places) In(degree uint32) uint32 {
	from, to := p.Within(degree)
	return to - from
}

// Within is [from, to) of a list of so many entries.
func (p Places) Within(degree uint32) (from, to uint32) {
	if to = degree; p.To > 0 {
		to = min(to, p.To)
	}
	return min(p.From, to), to
}
