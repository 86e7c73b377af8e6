package schedule

// UntilConverged, as Load.Rounds: until none of the vertices that have sent is active again.
const UntilConverged = 0

// mostRounds bounds what is asked for where a round costs next to nothing.
const mostRounds = 1 << 16

// rounds is how often what is sent is gone through while it is on the device. Where state only
// improves, what a vertex sends is never sent in vain as far as bytes go: edges that are there are worth
// every message that they carry, so rounds end with local convergence (Sabet et al., "Subway",
// EuroSys'20, section 4.3). A sum is another matter: what a vertex passes on in small portions, at once,
// its neighbors pass on in as many, and there is always a little more. There the rounds end by value: they
// go on while they cost no time, that is while the edge work of all rounds is shorter than the longest
// stage that runs beside it, and of the device's own time what making chunks resident leaves. An
// iteration of which nothing is measured yet has one round.
func (s State) rounds(loads []Load) int {
	if s.Monotone {
		return UntilConverged
	}
	if !s.Costs.Measured {
		return 1
	}
	all, round := s.Predict(loads), s.work(loads)
	if spare := max(all.Prepare, all.Link) - (all.Device - round); spare > round {
		return int(min(spare/round, mostRounds))
	}
	return 1
}

// work is the seconds that one round takes: one look at each edge that is wanted.
func (s State) work(loads []Load) (seconds float64) {
	for _, l := range loads {
		seconds += s.edges(l.Chunk) * s.Costs.Step
	}
	return seconds
}

// settle gives all loads of an iteration the same rounds, so that they may be put together.
func (s State) settle(loads []Load) []Load {
	rounds := s.rounds(loads)
	for i := range loads {
		loads[i].Rounds = rounds
	}
	return loads
}
