package ordering

func Identity(n uint32) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

// Inverse is by number its place in order; what order lacks is at 0.
func Inverse(order []uint32, numbers int) []uint32 {
	at := make([]uint32, numbers)
	for i, n := range order {
		at[n] = uint32(i)
	}
	return at
}

// Pick is values[at[0]], values[at[1]], …
func Pick(values, at []uint32) []uint32 {
	picked := make([]uint32, len(at))
	for i, from := range at {
		picked[i] = values[from]
	}
	return picked
}
