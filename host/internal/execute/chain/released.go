package chain

// tellReleased tells the other devices how much the vertices of a device's share have released since they last met,
// each with its number, and adds these to a set. The owner has sent it along its own edges, or is about to; each other
// device has it to send along its own, and nothing else, for all have let the same vertices send. By how much two know
// the first column to differ is what one of them does not know of (algorithms.Program.Released): so no device keeps
// what it has sent. It tells the bytes.
func (c *Chain) tellReleased(i int, set []uint64) (told uint64, err error) {
	own, others, err := c.ownAndOthers(i)
	if err != nil {
		return 0, err
	}
	first := own[0]
	for v := range unlike(own[:1], others[0][:1], *c.links[i].Share) {
		set[v/64] |= 1 << (v % 64)
		for _, other := range others {
			other[c.released].setFloat(v, first.float(v)-other[0].float(v))
			copy(other[0].of(v, 1), first.of(v, 1))
			told += numberBytes + first.width
		}
	}
	return told, nil
}
