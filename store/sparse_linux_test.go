package store

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// paged is a graph whose first chunk, of half a million neighbors, has many pages.
func paged(t *testing.T) (*snapshot.Snapshot, manifest.ChunkInfo) {
	t.Helper()
	db := testDB(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 14, EdgeFactor: 16, Seed: 1})
	must(t, err)
	defer source.Close()
	_, err = db.Load(t.Context(), "g", source, load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	t.Cleanup(s.Close)
	return s, s.Chunks(chunk.Out)[0]
}

// someLists asks for the lists of a few rows.
func someLists(rows ...int) func(*chunk.Chunk) iter.Seq2[int, int] {
	return func(c *chunk.Chunk) iter.Seq2[int, int] {
		return func(yield func(from, to int) bool) {
			for _, row := range rows {
				if !yield(int(c.Offsets()[row]), int(c.Offsets()[row+1])) {
					return
				}
			}
		}
	}
}

// readRows skips the test where there are no direct reads.
func readRows(t *testing.T, s *snapshot.Snapshot, info manifest.ChunkInfo, rows ...int) (*chunk.Chunk, snapshot.Reading,
	error) {
	t.Helper()
	buf := bytes.Repeat([]byte{0xA5}, int(info.Bytes)+snapshot.ListsRoom) // of an earlier use
	c, took, err := s.ReadLists(t.Context(), info, buf, someLists(rows...))
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("the file system of TMPDIR has no direct reads (O_DIRECT): set TMPDIR to a folder of ext4 or XFS: ", err)
	}
	return c, took, err
}

// Lists that are asked for are there, and what is read are their pages, those of the offsets and the last.
func TestReadLists(t *testing.T) {
	s, info := paged(t)
	whole := readChunk(t, s, info, nil)
	rng := testseed.Rand(t)
	for range 20 {
		rows := []int{rng.IntN(whole.Rows()), rng.IntN(whole.Rows()), rng.IntN(whole.Rows())}
		slices.Sort(rows)
		c, took, err := readRows(t, s, info, rows...)
		must(t, err)
		const page = manifest.PageBytes + snapshot.DirectBlock // a block more, for pages do not begin with one
		most := page * (3 + 4*len(whole.Offsets())/manifest.PageBytes)
		for _, row := range rows {
			from, to := whole.Offsets()[row], whole.Offsets()[row+1]
			if !slices.Equal(c.Neighbors()[from:to], whole.Neighbors()[from:to]) {
				t.Errorf("rows %v: other neighbors of row %d", rows, row)
			}
			most += page * (2 + 4*int(to-from)/manifest.PageBytes)
		}
		if took.Bytes > most || 2*took.Bytes > int(info.Bytes) {
			t.Errorf("rows %v: %+v of %d bytes, which is more than their pages, %d", rows, took, info.Bytes, most)
		}
		if took.Waits > 2 || took.Reads > 2+len(rows) { // the end, what comes before the neighbors, and the lists
			t.Errorf("rows %v: %+v; expected to wait twice", rows, took)
		}
		c.Release()
	}
}

// A bit that flips is found if its page is read, whatever it stands for; one in another page hinders nobody.
func TestReadLists_FlippedBits(t *testing.T) {
	s, info := paged(t)
	c, _, err := readRows(t, s, info, 0)
	must(t, err)
	list := int(c.Offsets()[1])
	c.Release()
	at, err := s.LocateChunk(t.Context(), info, nil, anything)
	must(t, err)
	neighbors := int(info.Bytes) - 4*int(info.Edges) // or a little before
	read := func(byte int) bool {
		page := func(byte int) int { return byte / manifest.PageBytes }
		return page(byte) <= page(neighbors+4*list) || page(byte) == page(int(info.Bytes)-1)
	}
	found, missed := 0, 0
	for i := range 60 {
		byte := i * int(info.Bytes-1) / 59
		flipAt(t, at.Path, int(at.Offset)+byte)
		c, _, err := readRows(t, s, info, 0)
		if err == nil {
			c.Release()
			missed++
		} else {
			found++
		}
		if read(byte) != (err != nil) {
			t.Errorf("byte %d of %d: %v", byte, info.Bytes, err)
		}
		flipAt(t, at.Path, int(at.Offset)+byte)
	}
	if found == 0 || missed == 0 {
		t.Errorf("%d found, %d not read", found, missed)
	}
}

// Chunks whose pages have no checksums, of earlier programs or with values that differ in width, are not read in parts.
func TestReadLists_NoPages(t *testing.T) {
	s, info := paged(t)
	if !info.HasPages() {
		t.Error("no checksums were stored")
	}
	info.Pages = nil
	_, took, err := s.ReadLists(t.Context(), info, chunk.Aligned(int(info.Bytes)+snapshot.ListsRoom), someLists(0))
	if !errors.Is(err, errors.ErrUnsupported) || took.Bytes > 0 {
		t.Errorf("without checksums: %+v, %v", took, err)
	}
	_, s = large(t)
	if s.Chunks(chunk.Out)[0].HasPages() {
		t.Error("a column of texts")
	}
}
