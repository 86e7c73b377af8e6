package linear

// Ending is how learning has ended.
type Ending struct {
	Remaining float64 // how far the objective is above the least at the most, as a share of that; or infinite
	Primal    bool    // it went along features
	Converged bool    // within the tolerance
	Steps     int     // of Newton's method
}

// EndingWidth is how many numbers an Ending is, where a device tells its host.
const EndingWidth = 4

// Write writes the numbers.
func (e Ending) Write(row []float32) {
	truth := map[bool]float32{true: 1}
	copy(row, []float32{float32(e.Remaining), truth[e.Primal], truth[e.Converged], float32(e.Steps)})
}

// ReadEnding reads them.
func ReadEnding(row []float32) Ending {
	return Ending{float64(row[0]), row[1] == 1, row[2] == 1, int(row[3])}
}
