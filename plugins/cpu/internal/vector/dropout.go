package vector

import (
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// whole is how many of n numbers that are drawn kernels draw: all of them, or as many whole fours as there are.
func whole(n int) int {
	switch {
	case level >= AVX512:
		return n
	case level >= AVX2:
		return n &^ 3
	}
	return 0
}

// VertexKeys makes what rows from a vertex on draw from.
func VertexKeys(keys []uint64, vertex uint64, of dataflow.MaskKey) {
	if of.Limit == 0 {
		return // nothing is drawn
	}
	n := whole(len(keys))
	if n > 0 {
		vertexKeys(unsafe.SliceData(keys), vertex, n, of.From)
	}
	for i := n; i < len(keys); i++ {
		keys[i] = of.Row(vertex + uint64(i)).From
	}
}

// EdgeKeys makes what edges draw from.
func EdgeKeys(keys []uint64, sources, targets []uint32, of dataflow.MaskKey) {
	if of.Limit == 0 {
		return
	}
	sources, targets = sources[:len(keys)], targets[:len(keys)]
	n := whole(len(keys))
	if n > 0 {
		edgeKeys(unsafe.SliceData(keys), unsafe.SliceData(sources), unsafe.SliceData(targets), n, of.From)
	}
	for i := n; i < len(keys); i++ {
		keys[i] = of.Row(dataflow.EdgeRow(uint64(sources[i]), uint64(targets[i]))).From
	}
}

// lanes say for rows of 4, 8 and 16 numbers of which of eight keys a random number is drawn, and which one; and of how
// many rows eight are.
var lanes = func() (all [3][17]uint64) {
	for i := range all {
		all[i][16] = 8 >> i
		for lane := range uint64(8) {
			all[i][lane], all[i][8+lane] = lane>>i, (lane&(1<<i-1))*dataflow.MaskStep
		}
	}
	return all
}()

// leastWide is how many columns are drawn for sixteen at a time: of fewer most would be in vain.
const leastWide = 5

// Mask multiplies rows with those of a mask, a key for each.
func Mask[T Number](to, from []T, keys []uint64, width int, of dataflow.MaskKey) {
	n := len(keys)
	to, from = to[:n*width], from[:n*width]
	if of.Limit == 0 {
		copy(to, from)
		return
	}
	if isSingle[T]() && level >= AVX512 && n > 0 {
		switch width {
		case 1:
			maskOne(first(to), first(from), unsafe.SliceData(keys), n, of.Limit, float32(of.Kept))
			return
		case 4, 8, 16:
			table := &lanes[width/8]
			maskFlat(first(to), first(from), unsafe.SliceData(keys), n, width, &table[0], of.Limit,
				float32(of.Kept))
			return
		}
		maskWide(first(to), first(from), nil, unsafe.SliceData(keys), n, width, of.Limit, float32(of.Kept))
		return
	}
	if isSingle[T]() && level >= AVX2 && n > 0 && width >= leastWide {
		maskRows(first(to), first(from), unsafe.SliceData(keys), n, width, of.Limit, float32(of.Kept))
		return
	}
	done := 0
	if isSingle[T]() && width == 1 && whole(n) > 0 {
		done = whole(n)
		maskOne(first(to), first(from), unsafe.SliceData(keys), done, of.Limit, float32(of.Kept))
	}
	for i := done; i < n; i++ {
		key := keys[i]
		MaskRow(to[i*width:(i+1)*width], from[i*width:], dataflow.MaskRow{From: key, Limit: of.Limit, Kept: of.Kept})
	}
}

// MaskProduct multiplies rows with those of a mask, a key for each, and what comes of that with rows of times.
func MaskProduct[T Number](to, from, times []T, keys []uint64, width int, of dataflow.MaskKey) {
	to = to[:len(keys)*width]
	from, times = from[:len(to)], times[:len(to)]
	if isSingle[T]() && level >= AVX512 && len(to) > 0 && width > 16 && of.Limit > 0 {
		maskWide(first(to), first(from), first(times), unsafe.SliceData(keys), len(keys), width, of.Limit, float32(of.Kept))
		return
	}
	Mask(to, from, keys, width, of)
	if !Binary(dataflow.Multiply, to, Operand[T]{Of: to}, Operand[T]{Of: times}, len(keys), width) {
		for j, a := range times {
			to[j] *= a
		}
	}
}

// MaskRow multiplies a row with that of a mask, four numbers at a time as they are drawn.
func MaskRow[T Number](to, from []T, of dataflow.MaskRow) {
	from = from[:len(to)]
	if of.Limit == 0 {
		copy(to, from)
		return
	}
	if isSingle[T]() && level >= AVX512 {
		maskWide(first(to), first(from), nil, &of.From, 1, len(to), of.Limit, float32(of.Kept))
		return
	}
	factors := [2]T{T(of.Kept), 0}
	for j := 0; j < len(from); j += 4 {
		drawn := of.Lanes(j / 4)
		for k := j; k < min(j+4, len(from)); k++ {
			to[k] = from[k] * factors[(drawn&0xffff-of.Limit)>>63] // no branch: what is dropped cannot be foretold
			drawn >>= 16
		}
	}
}

// MaskSparse multiplies numbers in some columns of a row with those of a mask. It writes those that are kept and where
// they are, and tells how many.
func MaskSparse[T Number](to []T, places []uint32, from []T, columns []uint32, of dataflow.MaskRow) int {
	to, places, from = to[:len(columns)], places[:len(columns)], from[:len(columns)]
	if of.Limit == 0 {
		copy(places, columns)
		return copy(to, from)
	}
	factor, kept, done := T(of.Kept), 0, 0
	if isSingle[T]() && whole(len(columns)) > 0 {
		done = whole(len(columns))
		kept = maskSparse(first(to), unsafe.SliceData(places), first(from), unsafe.SliceData(columns), done, of.From,
			of.Limit, float32(of.Kept))
	}
	for e := done; e < len(columns); e++ {
		j := columns[e]
		to[kept], places[kept] = from[e]*factor, j // the next is written over it if it is dropped
		kept += int(of.Keeps(int(j)))
	}
	return kept
}

// MaskColumn multiplies numbers of a column, each in the row that rows names, with those of a mask whose rows draw from
// keys. It writes those that are kept and where they are, and tells how many. To may be from, and places rows.
func MaskColumn[T Number](to []T, places []uint32, from []T, rows []uint32, keys []uint64, column int,
	of dataflow.MaskKey) int {
	to, places, from = to[:len(rows)], places[:len(rows)], from[:len(rows)]
	if of.Limit == 0 {
		copy(places, rows)
		return copy(to, from)
	}
	factor, kept, done := T(of.Kept), 0, 0
	if isSingle[T]() && whole(len(rows)) > 0 {
		done = whole(len(rows))
		kept = maskColumn(first(to), unsafe.SliceData(places), first(from), unsafe.SliceData(rows), done,
			unsafe.SliceData(keys), uint64(column/4)*dataflow.MaskStep, uint64(column%4*16), of.Limit, float32(of.Kept))
	}
	for e := done; e < len(rows); e++ {
		row := rows[e]
		of := dataflow.MaskRow{From: keys[row], Limit: of.Limit}
		to[kept], places[kept] = from[e]*factor, row
		kept += int(of.Keeps(column))
	}
	return kept
}
