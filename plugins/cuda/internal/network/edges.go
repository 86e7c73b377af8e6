package network

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// lists are rows of entries on the card, of which long ones are cut into pieces.
type lists struct {
	rows, entries         uint64 // that there is room for
	count, size           uint64 // rows and entries that there are
	begin, end, others    *buffer
	pieces, longs         *buffer
	pieceCount, longCount uint64
	mostPieces            uint64
}

// newLists are lists of so many entries whose rows are not known yet: there is room for as many long ones as there can
// be.
func newLists(rows, entries uint64) *lists {
	return makeLists(rows, entries, 2*entries/kernels.CutList, entries/kernels.CutList)
}

// newListsOf are lists of rows that have room for so many entries each.
func newListsOf(room []uint64) *lists {
	var entries, pieces, longs uint64
	for _, r := range room {
		entries += r
		if r > kernels.CutList {
			pieces += (r + kernels.CutList - 1) / kernels.CutList
			longs++
		}
	}
	return makeLists(uint64(len(room)), entries, pieces, longs)
}

func makeLists(rows, entries, pieces, longs uint64) *lists {
	return &lists{rows: rows, entries: entries, count: rows, size: entries, begin: kept(8 * (rows + 1)),
		others: kept(4 * entries),
		pieces: kept(8 * pieces), longs: kept(24 * longs), mostPieces: pieces}
}

// kept is memory that a task keeps from its beginning to its end.
func kept(bytes uint64) *buffer { return &buffer{bytes: bytes, kept: true} }

// buffers are all memory that l takes.
func (l *lists) buffers() []*buffer {
	all := []*buffer{l.begin, l.others, l.pieces, l.longs}
	if l.end != nil {
		all = append(all, l.end)
	}
	return all
}

// partial is memory for the pieces of rows of so many numbers.
func (l *lists) partial(width int) *buffer { return &buffer{bytes: 4 * l.mostPieces * uint64(width)} }

// send tells the card where rows begin, and which of them are long.
func (l *lists) send(ctx context.Context, s *stream.Streams, base driver.Pointer, begin []uint64) error {
	return l.sendCut(ctx, s, s.Computing, base, begin, 0)
}

// sendCut does so in a queue. Of entries that come cell by cell, rows with more than most are long; 0: all come at
// once.
func (l *lists) sendCut(ctx context.Context, s *stream.Streams, on driver.Stream, base driver.Pointer, begin []uint64,
	most uint64) error {
	l.count, l.size = uint64(len(begin)-1), begin[len(begin)-1]
	var pieces, longs []uint64
	for row := range begin[1:] {
		room := begin[row+1] - begin[row]
		if room <= max(most, kernels.CutList) {
			continue
		}
		count := (room + kernels.CutList - 1) / kernels.CutList
		if most > 0 {
			count = piecesOf(room)
		}
		longs = append(longs, uint64(row), uint64(len(pieces)), count)
		for k := range count {
			pieces = append(pieces, k<<32|uint64(row))
		}
	}
	l.pieceCount, l.longCount = uint64(len(pieces)), uint64(len(longs)/3)
	for _, part := range []struct {
		to    *buffer
		words []uint64
	}{{l.begin, begin}, {l.pieces, pieces}, {l.longs, longs}} {
		if err := s.CopyIn(ctx, on, base+driver.Pointer(part.to.at), bytesOf(part.words)); err != nil {
			return err
		}
	}
	return nil
}

// onCard is l as kernels know it.
func (l *lists) onCard(base driver.Pointer) kernels.Lists {
	at := func(b *buffer) driver.Pointer { return base + driver.Pointer(b.at) }
	end := at(l.begin) + 8 // rows are full
	if l.end != nil {
		end = at(l.end)
	}
	return kernels.Lists{Rows: l.count, Begin: at(l.begin), End: end, Others: at(l.others), Pieces: at(l.pieces),
		PieceCount: l.pieceCount, Longs: at(l.longs), LongCount: l.longCount}
}

// bytesOf is the memory of values.
func bytesOf[T uint32 | int64 | uint64 | float32 | kernels.Instruction](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}

func float32FromBits(bits uint32) float32 { return math.Float32frombits(bits) }

// edges are the lists at one end of all vertices, with properties.
type edges struct {
	*lists
	names      []string
	properties *buffer
	each       []*buffer // of names, where they lie apart; nil: in properties
	degrees    *buffer   // float32; nil: they are among the inputs
	selfLoops  bool
	wrong      *buffer // what may be wrong, and the least vertex that lacks edges
	begins     []uint64
}

// newEdges is lists of vertices with such degrees.
func newEdges(degrees []int64, names []string, selfLoops bool) (*edges, error) {
	room := make([]uint64, len(degrees))
	begins, end := make([]uint64, len(degrees)+1), uint64(0)
	for v, d := range degrees {
		if d < 0 {
			return nil, plugins.Errorf(plugins.KindInvalid, "vertex %d has degree %d", v, d)
		}
		room[v] = uint64(d)
		if selfLoops {
			room[v]++
		}
		end += room[v]
		begins[v+1] = end
	}
	e := &edges{lists: newListsOf(room), names: names, selfLoops: selfLoops, begins: begins}
	e.end = kept(8 * e.rows)
	e.properties, e.degrees, e.wrong = kept(4*e.entries*uint64(len(names))), kept(4*e.rows), kept(16)
	return e, nil
}

func (e *edges) buffers() []*buffer {
	all := append(e.lists.buffers(), e.properties)
	if e.degrees != nil { // a chunk at a time comes
		all = append(all, e.degrees, e.wrong)
	}
	return all
}

// property is the numbers of a property, which is one of names.
func (e *edges) property(name string) (*buffer, error) {
	k := -1
	if e != nil {
		k = slices.Index(e.names, name)
	}
	if k < 0 {
		return nil, unsupported("the property %s, of which edges that are looked at have none", name)
	}
	if e.each != nil {
		return e.each[k], nil
	}
	bytes := 4 * e.entries
	return &buffer{bytes: bytes, kept: true, at: uint64(k) * bytes, within: e.properties}, nil
}

// coming is what kernels know of the lists while they come.
func (e *edges) coming(base driver.Pointer) kernels.Entries {
	at := func(b *buffer) driver.Pointer { return base + driver.Pointer(b.at) }
	return kernels.Entries{Lists: e.onCard(base), Properties: at(e.properties), PropertyCount: uint64(len(e.names)),
		Edges: e.entries, SelfLoops: e.selfLoops, Wrong: at(e.wrong), Missing: at(e.wrong) + 8}
}

// empty has no edges come yet.
func (e *edges) empty(ctx context.Context, s *stream.Streams, base driver.Pointer) error {
	if err := e.send(ctx, s, base, e.begins); err != nil {
		return err
	}
	if err := s.Computing.Copy(base+driver.Pointer(e.end.at), base+driver.Pointer(e.begin.at), 8*e.rows); err != nil {
		return err
	}
	wrong := base + driver.Pointer(e.wrong.at)
	if err := s.Computing.Fill64(wrong, 0, 1); err != nil {
		return err
	}
	return s.Computing.Fill64(wrong+8, math.MaxUint64, 1)
}

// complaint is what the card has found wrong with lists: two numbers.
func complaint(found []byte) error {
	wrong, missing := binary.LittleEndian.Uint64(found), binary.LittleEndian.Uint64(found[8:])
	switch {
	case wrong&kernels.TooManyEdges != 0:
		return plugins.Errorf(plugins.KindInvalid, "a list has more edges than the degree of its vertex says")
	case wrong&kernels.MissingEdges != 0:
		return plugins.Errorf(plugins.KindInvalid,
			"lists of vertex %d have not come: it has fewer edges than its degree says", missing)
	}
	return nil
}
