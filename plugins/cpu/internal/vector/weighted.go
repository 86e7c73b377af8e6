package vector

import "unsafe"

// Weighted is sums of rows, each part of which goes with a number of its own.
type Weighted[T Number] struct {
	To    []T // rows that are added to
	Scale []T // of each row that is added, a number for each part

	Plain, Add []T // rows to add, as many and as wide as those of Scale, and their sums; nil: none
}

// Parts is how rows of so many columns fall into parts, and which number each column goes with.
type Parts struct {
	columns, parts int
	pieces         [2][]piece // for kernels of AVX2 and AVX-512
}

// piece is columns that a kernel adds up at a time, from one on.
type piece struct {
	from, columns int
	scale, scales int // the first number that they go with, and how many
	lanes         [64]uint32
	whole         bool // as many columns as four vectors of AVX2, and no vector has some of two parts
	each          int  // then how many numbers further on that of the next vector is
}

// wholeColumns are those of a piece that is whole.
const wholeColumns = 32

// NewParts parts rows.
func NewParts(columns, parts int) *Parts {
	p := &Parts{columns: columns, parts: parts}
	part := columns / parts
	for i, lanes := range [2]int{8, 16} {
		vectors := [2]int{2, 4}[i]
		for from := 0; from < columns; {
			of := piece{from: from, columns: min(lanes*min(vectors, part), columns-from), scale: from / part}
			if lanes == 8 && columns-from >= wholeColumns && (part == 8 || part%wholeColumns == 0) {
				of.columns, of.whole, of.each = wholeColumns, true, lanes/part
			}
			for j := range of.columns {
				of.lanes[j] = uint32((from+j)/part - of.scale)
			}
			of.scales = int(of.lanes[of.columns-1]) + 1
			p.pieces[i], from = append(p.pieces[i], of), from+of.columns
		}
	}
	return p
}

// AddWeighted adds rows of x, of which own says the row that each is added to, to each of sums, and rows that go to
// plain sums. Rows are read once for two sums.
func AddWeighted[T Number](p *Parts, sums []Weighted[T], x Operand[T], own []uint32) {
	if len(own) == 0 {
		return
	}
	if isSingle[T]() && level >= AVX2 {
		addWeightedRows(p, sums, x, own)
		return
	}
	part := p.columns / p.parts
	for _, sum := range sums {
		for e, to := range own {
			row, to := x.row(e, p.columns), sum.To[int(to)*p.columns:][:p.columns]
			for k, s := range sum.Scale[e*p.parts : (e+1)*p.parts] {
				to := to[k*part : (k+1)*part]
				for j, a := range row[k*part : (k+1)*part] {
					to[j] += s * a
				}
			}
		}
		sum.addPlain(own, p.parts)
	}
}

// addPlain adds rows to the plain sum, if there is one.
func (w *Weighted[T]) addPlain(own []uint32, parts int) {
	if w.Plain != nil {
		AddRuns(w.Plain, own, w.Add, parts)
	}
}

// addWeightedRows is AddWeighted by kernels.
func addWeightedRows[T Number](p *Parts, sums []Weighted[T], x Operand[T], own []uint32) {
	n := len(own)
	for ; len(sums) > 0; sums = sums[min(2, len(sums)):] {
		one, other := sums[0], sums[min(1, len(sums)-1)]
		_, _ = one.Scale[:n*p.parts], other.Scale[:n*p.parts]
		of := p.pieces[level-AVX2]
		for _, sum := range []*Weighted[T]{&one, &other}[:min(2, len(sums))] {
			if len(of) > 1 || of[0].whole {
				sum.addPlain(own, p.parts)
				sum.Plain = nil
			} else if sum.Plain != nil {
				_ = sum.Add[:n*p.parts]
			}
		}
		for i := range of {
			q := &of[i]
			if q.whole {
				addWhole(min(2, len(sums)), after(first(one.To), q.from), after(first(other.To), q.from),
					unsafe.SliceData(own), after(first(x.Of), q.from), unsafe.SliceData(x.Index),
					after(first(one.Scale), q.scale), after(first(other.Scale), q.scale), q.each, n, p.columns, p.parts)
				continue
			}
			addWeighted(min(2, len(sums)), after(first(one.To), q.from), after(first(other.To), q.from),
				unsafe.SliceData(own), after(first(x.Of), q.from), unsafe.SliceData(x.Index), after(first(one.Scale), q.scale),
				after(first(other.Scale), q.scale), first(one.Plain), first(other.Plain), first(one.Add), first(other.Add),
				&q.lanes[0], n, q.columns, p.columns, q.scales, p.parts)
		}
	}
}

// RunWidth is how wide rows are at most for which AddRuns is the quickest way.
const RunWidth = 8

// AddRuns adds rows of x, which follow each other, to those that own says.
func AddRuns[T Number](to []T, own []uint32, x []T, width int) {
	if isSingle[T]() && level >= AVX2 && width <= RunWidth && len(own) > 0 {
		sumRuns(first(to), unsafe.SliceData(own), first(x[:len(own)*width]), len(own), width)
		return
	}
	for e, row := range own {
		to := to[int(row)*width:][:width]
		for j, a := range x[e*width : (e+1)*width] {
			to[j] += a
		}
	}
}
