package neural

import "unsafe"

// rowKernel is weightedSum of float32 for some processors.
type rowKernel func(out, p *float32, index *uint32, scale *float32, n, width, stride, scaleStride int)

// weightedSum adds to out the rows of p that index names, each times its scale: the gather of rows over edges, and the
// products of matrices, whose rows are such sums. Every number of out is added up in the order of index. A nil index
// names rows 0 to n-1, nil scales are 1. Rows begin at multiples of stride in p, and scales at multiples of
// scaleStride.
func weightedSum[T number](out, p []T, index []uint32, scale []T, n, stride, scaleStride int) {
	if n == 0 || len(out) == 0 {
		return
	}
	if unsafe.Sizeof(*new(T)) == 4 && vectorSum != nil {
		vectorSum((*float32)(unsafe.Pointer(unsafe.SliceData(out))), (*float32)(unsafe.Pointer(unsafe.SliceData(p))),
			unsafe.SliceData(index), (*float32)(unsafe.Pointer(unsafe.SliceData(scale))), n, len(out), stride, scaleStride)
		return
	}
	for k := range n {
		at := k
		if index != nil {
			at = int(index[k])
		}
		row := p[at*stride:][:len(out)]
		if scale == nil {
			add(out, row)
		} else if s := scale[k*scaleStride]; s != 0 {
			addScaled(out, row, s)
		}
	}
}
