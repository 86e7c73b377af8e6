package vector

// AddTo adds the numbers from … to of each row of x, one after the other, to those of the row of sums that own names.
func AddTo(sums []float64, x []float32, own []int64, from, to, width int) {
	if len(own) == 0 || from == to {
		return
	}
	if level >= AVX2 {
		n := to - from
		addTo(&sums[from], first(x[from:len(own)*width]), &own[0], len(own), n/4, n%4, width)
		return
	}
	for v, row := range own {
		sums := sums[int(row)*width:][from:to]
		for k, a := range x[v*width:][from:to] {
			sums[k] += float64(a)
		}
	}
}
