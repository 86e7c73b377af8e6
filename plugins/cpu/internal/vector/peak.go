package vector

// peakRounds take some milliseconds.
const peakRounds = 1 << 20

// Peak keeps the units for fused multiplications and additions of one processor as busy as they can be for a while, and
// says how many operations of float32 that were; 0: there are no such instructions.
func Peak() (operations float64) {
	switch level {
	case AVX512:
		peak(true, peakRounds)
		return peakRounds * 24 * 16 * 2
	case AVX2:
		peak(false, peakRounds)
		return peakRounds * 12 * 8 * 2
	}
	return 0
}
