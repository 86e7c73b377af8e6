package dataflow

// ComputeRow computes a row of v of one row of each argument.
func ComputeRow(v *Value, args []Matrix) []float64 {
	out := make([]float64, v.Width)
	new(Data).row(v, 0, out, args)
	return out
}

// AddOuter adds xᵀ·y to m.
func AddOuter(m Matrix, x, y []float64) { outer(m, Matrix{len(x), x}, Matrix{len(y), y}) }
