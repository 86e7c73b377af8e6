package vector

import "unsafe"

// AddSections adds rows of y, which rows names, times a number each, to the sum of the section that each row is of; and
// to sum what a section has come to where one of another follows. Section is what the last has come to, which begins
// with 0, and last says which one that is; it tells the same for what follows. If nothing more does, section is added
// to sum.
func AddSections[T Number](sum, section, y []T, rows []uint32, values []T, of []uint8, last uint8, more bool) uint8 {
	width, values := len(sum), values[:len(rows)]
	section = section[:width]
	if isSingle[T]() && level >= AVX2 {
		addSectionsOf(sum, section, y, rows, values, of, last, more)
		if len(rows) == 0 {
			return last
		}
		return of[rows[len(rows)-1]]
	}
	for e, v := range rows {
		if of[v] != last {
			for j, a := range section {
				sum[j] += a
			}
			clear(section)
			last = of[v]
		}
		for j, a := range y[int(v)*width:][:width] {
			section[j] += values[e] * a
		}
	}
	if !more {
		for j, a := range section {
			sum[j] += a
		}
	}
	return last
}

// addSectionsOf is AddSections by kernels, some columns at a time.
func addSectionsOf[T Number](sum, section, y []T, rows []uint32, values []T, of []uint8, last uint8, more bool) {
	width := len(sum)
	for from := 0; from < width; {
		lanes := 8
		if level >= AVX512 {
			lanes = 16
		}
		columns := min(4*lanes, width-from)
		vectors := (columns + lanes - 1) / lanes
		follow := 0
		if more {
			follow = 1
		}
		addSections(vectors, after(first(sum), from), after(first(section), from), after(first(y), from),
			unsafe.SliceData(rows), first(values), unsafe.SliceData(of), uint64(last), len(rows), columns, width, follow)
		from += columns
	}
}
