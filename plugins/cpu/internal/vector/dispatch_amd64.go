package vector

import (
	"golang.org/x/sys/cpu"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

var detected = func() Level {
	has := cpu.X86
	switch {
	case !has.HasAVX2 || !has.HasFMA:
		return Plain
	case has.HasAVX512F && has.HasAVX512BW && has.HasAVX512DQ && has.HasAVX512VL && has.HasBMI2:
		return AVX512
	}
	return AVX2
}()

// addTiles is AddProduct, tile by tile.
func addTiles(c *float32, cRow int, a *float32, aRow, aStep int, b *float32, bStep, rows, n, k int) bool {
	switch level {
	case AVX512:
		addTilesAVX512(c, cRow, a, aRow, aStep, b, bStep, rows, n, k)
	case AVX2:
		for j := 0; j < n; j += 16 {
			addTilesAVX2(after(c, j), cRow, a, aRow, aStep, after(b, j), bStep, rows, min(16, n-j), k)
		}
	}
	return level >= AVX2
}

func addTilesAVX512(c *float32, cRow int, a *float32, aRow, aStep int, b *float32, bStep, rows, n, k int) {
	eight, four, one := tile8x2AVX512, tile4x2AVX512, tile1x2AVX512
	switch {
	case n <= 8:
		eight, four, one = narrow8x1AVX512, narrow4x1AVX512, narrow1x1AVX512
	case n <= 16:
		eight, four, one = tile8x1AVX512, tile4x1AVX512, tile1x1AVX512
	}
	r := 0
	for ; r+8 <= rows; r += 8 {
		eight(after(c, r*cRow), after(a, r*aRow), b, k, n, cRow, aRow, aStep, bStep)
	}
	for ; r+4 <= rows; r += 4 {
		four(after(c, r*cRow), after(a, r*aRow), b, k, n, cRow, aRow, aStep, bStep)
	}
	for ; r < rows; r++ {
		one(after(c, r*cRow), after(a, r*aRow), b, k, n, cRow, aRow, aStep, bStep)
	}
}

func addTilesAVX2(c *float32, cRow int, a *float32, aRow, aStep int, b *float32, bStep, rows, n, k int) {
	four, one := tile4x2AVX2, tile1x2AVX2
	if n <= 8 {
		four, one = tile4x1AVX2, tile1x1AVX2
	}
	r := 0
	for ; r+4 <= rows; r += 4 {
		four(after(c, r*cRow), after(a, r*aRow), b, k, n, cRow, aRow, aStep, bStep)
	}
	for ; r < rows; r++ {
		one(after(c, r*cRow), after(a, r*aRow), b, k, n, cRow, aRow, aStep, bStep)
	}
}

// subtractSquares is that of panels, tile by tile.
func subtractSquares(c, p, q *float32, rows, k int) {
	if level == AVX512 {
		r := 0
		for ; r+8 <= rows; r += 8 {
			squares8x2AVX512(after(c, r*Abreast), after(p, r), q, k, Abreast, Abreast, 1, Abreast, Abreast)
		}
		for ; r < rows; r++ {
			squares1x2AVX512(after(c, r*Abreast), after(p, r), q, k, Abreast, Abreast, 1, Abreast, Abreast)
		}
		return
	}
	for j := 0; j < Abreast; j += 16 {
		r := 0
		for ; r+4 <= rows; r += 4 {
			squares4x2AVX2(after(c, r*Abreast+j), after(p, r), after(q, j), k, 16, Abreast, 1, Abreast, Abreast)
		}
		for ; r < rows; r++ {
			squares1x2AVX2(after(c, r*Abreast+j), after(p, r), after(q, j), k, 16, Abreast, 1, Abreast, Abreast)
		}
	}
}

func fillEight(to, y *float32, yIndex *uint32, blocks, width int) {
	fillEightAVX2(to, y, yIndex, blocks, width)
}

func sift(found *uint32, x *float32, rows int, ofRow, ofColumn *float32) {
	siftAVX2(found, x, rows, ofRow, ofColumn)
}

// unary computes a function, if there is a kernel for it.
func unary(op dataflow.Op, to, from *float32, n int, slope float32) bool {
	switch op {
	case dataflow.Exp:
		expAVX2(to, from, n, slope)
	case dataflow.Sigmoid:
		sigmoidAVX2(to, from, n, slope)
	case dataflow.Tanh:
		tanhAVX2(to, from, n, slope)
	case dataflow.Elu:
		eluAVX2(to, from, n, slope)
	case dataflow.EluSlope:
		eluSlopeAVX2(to, from, n, slope)
	case dataflow.Relu:
		reluAVX2(to, from, n, slope)
	case dataflow.Positive:
		positiveAVX2(to, from, n, slope)
	case dataflow.LeakyRelu:
		leakyReluAVX2(to, from, n, slope)
	case dataflow.LeakySlope:
		leakySlopeAVX2(to, from, n, slope)
	default:
		return false
	}
	return true
}

// binary computes rows, if there is a kernel for it.
func binary(op dataflow.Op, to, x *float32, xIndex *uint32, y *float32, yIndex *uint32, n, width int) bool {
	switch op {
	case dataflow.Add:
		addRowsAVX2(to, x, xIndex, y, yIndex, n, width)
	case dataflow.Subtract:
		subtractRowsAVX2(to, x, xIndex, y, yIndex, n, width)
	case dataflow.Multiply:
		multiplyRowsAVX2(to, x, xIndex, y, yIndex, n, width)
	case dataflow.Divide:
		divideRowsAVX2(to, x, xIndex, y, yIndex, n, width)
	default:
		return false
	}
	return true
}

func scaleParts(to, x, scale *float32, rows, parts, part int) {
	if level >= AVX512 {
		scalePartsAVX512(to, x, scale, rows, parts, part)
		return
	}
	scalePartsAVX2(to, x, scale, rows, parts, part)
}

func addScaled(to, x, scale, y, more *float32, rows, parts, part, xBack, yBack, moreBack int) {
	if level >= AVX512 {
		addScaledAVX512(to, x, scale, y, more, rows, parts, part, xBack, yBack, moreBack)
		return
	}
	addScaledAVX2(to, x, scale, y, more, rows, parts, part, xBack, yBack, moreBack)
}

func sumScaled(sum, x, scale *float32, n, parts, part int) {
	sumScaledAVX2(sum, x, scale, n, parts, part)
}

func dotParts(to, x *float32, xIndex *uint32, y *float32, yIndex *uint32, n, parts, part int) {
	dotPartsAVX2(to, x, xIndex, y, yIndex, n, parts, part)
}

func dots(to, x, y *float32, index *uint32, n, width int) { dotsAVX2(to, x, y, index, n, width) }

func squares(to, x, y *float32, index *uint32, n, width int) { squaresAVX2(to, x, y, index, n, width) }

func addTo(sums *float64, x *float32, own *int64, n, fours, rest, width int) {
	addToAVX2(sums, x, own, n, fours, rest, width)
}

func maxRows(to, x *float32, index *uint32, n, width int) { maxRowsAVX2(to, x, index, n, width) }

func scatter(sum *float32, index *uint32, scale *float32, n int, row *float32, width int) {
	scatterAVX2(sum, index, scale, n, row, width)
}

// sectionKernel is addSections of so many vectors.
type sectionKernel func(sum, section, y *float32, rows *uint32, values *float32, of *uint8, last uint64,
	n, width, stride, more int)

// sectionKernels are those for one to four vectors.
var (
	sectionKernels512 = [4]sectionKernel{addSections1AVX512, addSections2AVX512, addSections3AVX512, addSections4AVX512}
	sectionKernels2   = [4]sectionKernel{addSections1AVX2, addSections2AVX2, addSections3AVX2, addSections4AVX2}
)

func addSections(vectors int, sum, section, y *float32, rows *uint32, values *float32, of *uint8, last uint64,
	n, width, stride, more int) {
	kernel := sectionKernels512[vectors-1]
	if level < AVX512 {
		kernel = sectionKernels2[vectors-1]
	}
	kernel(sum, section, y, rows, values, of, last, n, width, stride, more)
}

func vertexKeys(keys *uint64, vertex uint64, n int, key uint64) {
	if level >= AVX512 {
		vertexKeysAVX512(keys, vertex, n, key)
		return
	}
	vertexKeysAVX2(keys, vertex, n, key)
}

func edgeKeys(keys *uint64, sources, targets *uint32, n int, key uint64) {
	if level >= AVX512 {
		edgeKeysAVX512(keys, sources, targets, n, key)
		return
	}
	edgeKeysAVX2(keys, sources, targets, n, key)
}

func maskOne(to, from *float32, keys *uint64, n int, limit uint64, kept float32) {
	if level >= AVX512 {
		maskOneAVX512(to, from, keys, n, limit, kept)
		return
	}
	maskOneAVX2(to, from, keys, n, limit, kept)
}

func maskFlat(to, from *float32, keys *uint64, n, width int, table *uint64, limit uint64, kept float32) {
	maskFlatAVX512(to, from, keys, n, width, table, limit, kept)
}

func maskRows(to, from *float32, keys *uint64, n, width int, limit uint64, kept float32) {
	maskRowsAVX2(to, from, keys, n, width, limit, kept)
}

func maskWide(to, from, times *float32, keys *uint64, n, width int, limit uint64, kept float32) {
	maskWideAVX512(to, from, times, keys, n, width, limit, kept)
}

func maskSparse(to *float32, places *uint32, from *float32, columns *uint32, n int, key, limit uint64,
	kept float32) int {
	if level < AVX512 {
		return maskSparseAVX2(to, places, from, columns, n, key, limit, kept)
	}
	return maskSparseAVX512(to, places, from, columns, n, key, limit, kept)
}

func maskColumn(to *float32, places *uint32, from *float32, rows *uint32, n int, keys *uint64, step, shift,
	limit uint64, kept float32) int {
	if level < AVX512 {
		return maskColumnAVX2(to, places, from, rows, n, keys, step, shift, limit, kept)
	}
	return maskColumnAVX512(to, places, from, rows, n, keys, step, shift, limit, kept)
}

func peak(wide bool, rounds int) {
	if wide {
		peakAVX512(rounds)
	} else {
		peakAVX2(rounds)
	}
}

// weightedKernel adds rows to one sum or two.
type weightedKernel func(to, toOther *float32, own *uint32, x *float32, index *uint32, scale, scaleOther, plain,
	plainOther, add, addOther *float32, lanes *uint32, n, width, stride, scales, scaleStride int)

// weightedKernels are those for one and two sums, of rows of one vector and more.
var (
	weightedKernels512 = [2][4]weightedKernel{
		{weighted1x1AVX512, weighted1x2AVX512, weighted1x3AVX512, weighted1x4AVX512},
		{weighted2x1AVX512, weighted2x2AVX512, weighted2x3AVX512, weighted2x4AVX512},
	}
	weightedKernels2 = [2][2]weightedKernel{
		{weighted1x1AVX2, weighted1x2AVX2}, {weighted2x1AVX2, weighted2x2AVX2},
	}
	weightedOneKernels2 = [2][2]weightedKernel{ // all columns go with one number
		{weighted1x1OneAVX2, weighted1x2OneAVX2}, {weighted2x1OneAVX2, weighted2x2OneAVX2},
	}
)

func addWeighted(sums int, to, toOther *float32, own *uint32, x *float32, index *uint32, scale, scaleOther, plain,
	plainOther, add, addOther *float32, lanes *uint32, n, width, stride, scales, scaleStride int) {
	kernel := weightedKernels512[sums-1][(width-1)/16%4]
	switch {
	case level < AVX512 && scales == 1:
		kernel = weightedOneKernels2[sums-1][(width-1)/8%2]
	case level < AVX512:
		kernel = weightedKernels2[sums-1][(width-1)/8%2]
	}
	kernel(to, toOther, own, x, index, scale, scaleOther, plain, plainOther, add, addOther, lanes, n, width, stride,
		scales, scaleStride)
}

func addWhole(sums int, to, toOther *float32, own *uint32, x *float32, index *uint32, scale, scaleOther *float32,
	each, n, stride, scaleStride int) {
	if sums == 1 {
		weightedWhole1AVX2(to, toOther, own, x, index, scale, scaleOther, each, n, stride, scaleStride)
		return
	}
	weightedWhole2AVX2(to, toOther, own, x, index, scale, scaleOther, each, n, stride, scaleStride)
}

func sumRuns(to *float32, own *uint32, x *float32, n, width int) {
	switch width {
	case 1:
		sumOnesAVX2(to, own, x, n, width)
	case 8:
		sumEightsAVX2(to, own, x, n, width)
	default:
		sumRunsAVX2(to, own, x, n, width)
	}
}

func ownRuns(own, from *uint32, offsets *int64, first, count, row, vertex int) int {
	return ownRunsAVX512(own, from, offsets, first, count, row, vertex)
}

func maxLists(to, x *float32, others *uint32, offsets *int64, n, width int) {
	maxListsAVX512(to, x, others, offsets, n, width)
}

func sumLists(to, x *float32, others *uint32, offsets *int64, n, columns, width int) {
	kernels := [...]func(to, x *float32, others *uint32, offsets *int64, n, columns, width int){
		sumLists1AVX2, sumLists2AVX2, sumLists3AVX2, sumLists4AVX2}
	kernels[(columns-1)/8](to, x, others, offsets, n, columns, width)
}

func lessMost(to, most, x *float32, n, width int) { lessMostAVX512(to, most, x, n, width) }

func elus(to, slopes, from *float32, n int) { elusAVX512(to, slopes, from, n) }

func scores(width int, left *float32, leftIndex *uint32, right *float32, rightIndex *uint32, most *float32,
	mostIndex *uint32, times *float32, timesIndex *uint32, exp, kept, keptSlope, expSlope, product *float32,
	n, drops int, slope float32) {
	if width == 1 {
		scoreNumbersAVX2(left, leftIndex, right, rightIndex, most, mostIndex, times, timesIndex, exp, kept, keptSlope,
			expSlope, product, n, drops, slope)
		return
	}
	scoreRowsAVX2(width, left, leftIndex, right, rightIndex, most, mostIndex, times, timesIndex, exp, kept, keptSlope,
		expSlope, product, n, drops, slope)
}

func drawnScores(width int, left *float32, leftIndex *uint32, right *float32, rightIndex *uint32, most *float32,
	mostIndex *uint32, times *float32, timesIndex *uint32, exp, kept, keptSlope, expSlope, product *float32,
	n, asked int, slope float32, keys, by *uint64, limit uint64, factor float32) {
	if width == 1 {
		scoreSixteensAVX512(left, leftIndex, right, rightIndex, most, mostIndex, times, timesIndex, exp, kept, keptSlope,
			expSlope, product, n, asked, slope, keys, by, limit, factor)
		return
	}
	scoreEightsAVX512(left, leftIndex, right, rightIndex, most, mostIndex, times, timesIndex, exp, kept, keptSlope,
		expSlope, product, n, asked, slope, keys, by, limit, factor)
}

// shareKernels add up rows of double precision, the widest first.
var shareKernels = []shareKernel{{columns: 32, add: addShares8AVX2}, {columns: 4, add: addShares1AVX2}}
