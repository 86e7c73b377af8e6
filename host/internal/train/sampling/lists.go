package sampling

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/host/internal/unnamed"
	"github.com/penstock-db/penstock/store"
)

// Lists are the edges that lead to each vertex, sorted, in files without a name: one of the vertices that edges come
// from, and one of each property. Where lists begin is in memory: 8 bytes of each vertex.
type Lists struct {
	offsets []int64
	files   []*os.File // vertices, then properties
	spare   sync.Pool  // of *reading
}

// reading is memory to read a list with.
type reading struct {
	others  []uint32
	numbers []float64
}

// intervalEntries is how many entries of lists are in memory at a time, unless a vertex has more.
const intervalEntries = 4 << 20

// WriteLists reads all lists, and writes them. Degrees are those of the vertices, without loops that a model adds; with
// selfLoops each list has the vertex itself once, and first. Of each vertex it counts to how many it sends.
func WriteLists(ctx context.Context, from *streaming.Source, degrees []int64, names []string, selfLoops bool) (
	l *Lists, sends []uint32, err error) {
	l, sends = &Lists{offsets: make([]int64, 1, len(degrees)+1)}, make([]uint32, len(degrees))
	l.spare.New = func() any { return new(reading) }
	var writers []*bufio.Writer
	for range 1 + len(names) {
		file, err := unnamed.File("penstock-lists-*")
		if err != nil {
			return l, nil, scratchError(err)
		}
		l.files, writers = append(l.files, file), append(writers, bufio.NewWriterSize(file, 1<<20))
	}
	for base := 0; base < len(degrees); {
		end, entries := base, int64(0)
		for end < len(degrees) && (end == base || entries+degrees[end]+1 <= intervalEntries) {
			entries += degrees[end] + 1
			end++
		}
		of := chunk.Interval{Base: uint64(base), Count: uint64(end - base)}
		lists, err := streaming.ReadLists(ctx, from, of, degrees, names, selfLoops)
		if err != nil {
			return l, nil, err
		}
		if selfLoops {
			loopsFirst(lists, uint32(base), names)
		}
		for _, u := range lists.Others {
			sends[u]++
		}
		if err := l.add(writers, lists, names); err != nil {
			return l, nil, err
		}
		base = end
	}
	for _, w := range writers {
		if err := w.Flush(); err != nil {
			return l, nil, scratchError(err)
		}
	}
	return l, sends, nil
}

// loopsFirst puts the vertex itself before the others of its list, which stay as they are.
func loopsFirst(l adjacency.Lists, base uint32, names []string) {
	for row := range len(l.Offsets) - 1 {
		from, to := l.Offsets[row], l.Offsets[row+1]
		at, _ := slices.BinarySearch(l.Others[from:to], base+uint32(row))
		rotate(l.Others[from:to], at)
		for _, name := range names {
			rotate(l.Properties[name][from:to], at)
		}
	}
}

// rotate moves the element at a place to the front.
func rotate[T any](list []T, at int) {
	first := list[at]
	copy(list[1:at+1], list[:at])
	list[0] = first
}

func (l *Lists) add(writers []*bufio.Writer, lists adjacency.Lists, names []string) error {
	before := l.offsets[len(l.offsets)-1]
	for _, at := range lists.Offsets[1:] {
		l.offsets = append(l.offsets, before+at)
	}
	if _, err := writers[0].Write(bytesOf(lists.Others)); err != nil {
		return scratchError(err)
	}
	for i, name := range names {
		if _, err := writers[1+i].Write(bytesOf(lists.Properties[name])); err != nil {
			return scratchError(err)
		}
	}
	return nil
}

// bytesOf is the memory of numbers.
func bytesOf[T float64 | uint32](numbers []T) []byte {
	if len(numbers) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers)*int(unsafe.Sizeof(numbers[0])))
}

// scratchError says that temporary files are at fault: with a *store.DiskFullError where the disk is full.
func scratchError(err error) error {
	return fmt.Errorf("temporary files of lists to sample from, in %s or where TMPDIR says: %w", os.TempDir(),
		store.DiskFull(os.TempDir(), err))
}

// Size is what the files take.
func (l *Lists) Size() uint64 {
	return uint64(l.offsets[len(l.offsets)-1]) * uint64(4+8*(len(l.files)-1))
}

// Close gives the files up.
func (l *Lists) Close() {
	for _, file := range l.files {
		file.Close()
	}
}

// Degree is how long the list of a vertex is.
func (l *Lists) Degree(v uint32) int { return int(l.offsets[v+1] - l.offsets[v]) }

// sparsePlaces: of a list as much longer as this than what is read of it, entries are read one by one.
const sparsePlaces = 256

// Read reads entries of a list; see sample.Lists.
func (l *Lists) Read(v uint32, places []int, others []uint32, properties [][]float64, at int) error {
	r := l.spare.Get().(*reading)
	defer l.spare.Put(r)
	first, degree := l.offsets[v], l.Degree(v)
	if err := readPlaces(l.files[0], &r.others, first, degree, places, others); err != nil {
		return err
	}
	for i, to := range properties {
		if err := readPlaces(l.files[1+i], &r.numbers, first, degree, places, to[at:at+len(others)]); err != nil {
			return err
		}
	}
	return nil
}

// readPlaces reads entries of a list that begins at first, by way of spare memory.
func readPlaces[T float64 | uint32](file *os.File, spare *[]T, first int64, degree int, places []int, to []T) error {
	size := int64(unsafe.Sizeof(*new(T)))
	read := func(to []T, at int64) error {
		if n, err := file.ReadAt(bytesOf(to), size*at); n < len(to)*int(size) {
			return scratchError(err)
		}
		return nil
	}
	switch {
	case places == nil:
		return read(to, first)
	case degree > sparsePlaces*len(places):
		for i, place := range places {
			if err := read(to[i:i+1], first+int64(place)); err != nil {
				return err
			}
		}
		return nil
	}
	*spare = slices.Grow((*spare)[:0], degree)[:degree]
	if err := read(*spare, first); err != nil {
		return err
	}
	for i, place := range places {
		to[i] = (*spare)[place]
	}
	return nil
}
