package vector

// AddShares adds to sums the rows of x that indices name, each times share and its weight: sums += Σ (share·wᵢ)·xᵢ.
// Without weights each is 1. Rows are as wide as sums.
func AddShares(sums, x []float64, rows []uint32, share float64, weights []float64) {
	width, done := len(sums), 0
	if len(rows) == 0 || width == 0 {
		return
	}
	if level >= AVX2 {
		weight, step := &one, 0
		if weights != nil {
			weight, step = &weights[:len(rows)][0], 8
		}
		for _, kernel := range shareKernels {
			for ; done+kernel.columns <= width; done += kernel.columns {
				kernel.add(&sums[done], &x[done], &rows[0], len(rows), width, share, weight, step)
			}
		}
	}
	if done == width {
		return
	}
	to := sums[done:]
	for i, row := range rows {
		by := share
		if weights != nil {
			by *= weights[i]
		}
		for k, a := range x[int(row)*width:][done:width] {
			to[k] += by * a
		}
	}
}

var one = 1.0

// shareKernel adds up so many columns.
type shareKernel struct {
	columns int
	add     func(sums, x *float64, rows *uint32, n, width int, share float64, weights *float64, step int)
}
