package schedule

// Whole sends every chunk from which an active vertex may send, in storage order. It is
// the baseline that other policies are measured against, as GraphReduce (SC'15) does it.
func Whole(s State) []Load {
	var loads []Load
	for _, i := range s.wanted() {
		loads = append(loads, Load{Chunk: i, Rounds: 1})
	}
	return loads
}
