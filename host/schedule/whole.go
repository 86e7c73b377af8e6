package schedule

// Whole steps every chunk from which an active vertex may send, in storage order. It is
// the baseline that other policies are measured against.
func Whole(s State) []int {
	var needed []int
	for i, c := range s.Chunks {
		if s.All || c.active(s.Active) {
			needed = append(needed, i)
		}
	}
	return needed
}

func (c Chunk) active(set Bitmap) bool {
	for _, senders := range c.Senders {
		if set.Any(senders) {
			return true
		}
	}
	return false
}
