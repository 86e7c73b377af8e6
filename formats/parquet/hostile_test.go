package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"

	"github.com/penstock-db/penstock/formats"
)

// withFooter is a Parquet file that is nothing but this footer.
func withFooter(t *testing.T, footer ...byte) string {
	t.Helper()
	content := append([]byte("PAR1"), footer...)
	content = binary.LittleEndian.AppendUint32(content, uint32(len(footer)))
	return stored(t, append(content, "PAR1"...))
}

func stored(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hostile.parquet")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Footers of some bytes whose lists and texts claim gigabytes, or whose decoded form takes
// them, get an error and no memory.
func TestOpen_HostileFooters(t *testing.T) {
	const structs, texts = 0x19, 0x18 // fields 1: a list, a text
	many := binary.AppendUvarint(nil, 1<<31)
	for name, c := range map[string]struct {
		footer []byte
		want   string
	}{
		"list that claims more": {append([]byte{structs, 0xfc}, many...),
			"it claims 2147483648 more elements or bytes of 0"},
		"text that claims more": {append([]byte{texts}, many...), "it claims 2147483648 more elements or bytes of 0"},
		"empty structures": {slices.Concat([]byte{structs, 0xfc}, binary.AppendUvarint(nil, 8<<20),
			make([]byte, 8<<20), []byte{0}), "takes more memory than it may"},
		"structures in each other": {slices.Concat(bytes.Repeat([]byte{0x1c}, 1<<20), make([]byte, 1<<20)),
			"no structure of Thrift"},
		"cut": {[]byte{0x15}, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			path := withFooter(t, c.footer...)
			var err error
			n := allocated(func() { _, err = Open(t.Context(), []string{path}, formats.Options{Memory: 64 << 20}) })
			if n > 1<<20 || err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%d bytes were allocated: %v", n, err)
			}
		})
	}
}

// Pages that unpack to more than their headers say are refused, whatever they are packed with.
func TestUnpacker_Bombs(t *testing.T) {
	zeros := make([]byte, 4<<20)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write(zeros)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for codec, packed := range map[format.CompressionCodec][]byte{
		format.Uncompressed: zeros, format.Snappy: snappy.Encode(nil, zeros), format.Gzip: zipped.Bytes(),
		format.Zstd: encoder.EncodeAll(zeros, nil),
	} {
		u := &unpacker{window: 8 << 20}
		defer u.close()
		for size, good := range map[int64]bool{4 << 20: true, 4<<20 - 1: false, 100: false} {
			err := u.check(codec, bytes.NewReader(packed), int64(len(packed)), size)
			if good && err != nil || !good && !errors.Is(err, errUnpacked) {
				t.Errorf("%s as %d bytes: %v", codec, size, err)
			}
		}
	}
}

// A small dictionary does not make a large batch: its rows are handed on a few at a time.
func TestOpen_BatchesOfLongTexts(t *testing.T) {
	type node struct {
		ID   int64    `parquet:"id"`
		Text string   `parquet:"text,dict,zstd"`
		Tags []string `parquet:"tags,list"`
	}
	rows := make([]node, 10_000)
	for i := range rows {
		rows[i] = node{int64(i), strings.Repeat(string(rune('a'+i%3)), 10_000*(i%2)), []string{"x", "y", "z"}[:i%4]}
	}
	path := stored(t, encode(t, rows))
	src, err := Open(t.Context(), []string{path}, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	batches, largest := 0, 0
	err = src.Nodes(t.Context(), func(b *formats.NodeBatch) error {
		batches++
		largest = max(largest, b.ID.Len())
		return nil
	})
	if err != nil || batches < 5 || largest > 2000 {
		t.Errorf("%d batches, the largest of %d rows: %v", batches, largest, err)
	}
	g, err := readPaths(t, []string{path})
	if err != nil || len(g.Nodes) != len(rows) {
		t.Fatal(err)
	}
	for i, n := range g.Nodes {
		if text := n.Values[0].(string); n.ID != strconv.Itoa(i) || text != rows[i].Text {
			t.Fatalf("row %d has another text", i)
		}
		if tags, _ := n.Values[1].([]any); len(tags) != len(rows[i].Tags) {
			t.Fatalf("row %d has the tags %v", i, tags)
		}
	}
}

// A text that is longer than a row may be ends the reading, with its row.
func TestOpen_LongText(t *testing.T) {
	type node struct {
		ID   int64  `parquet:"id"`
		Text string `parquet:"text"`
	}
	path := stored(t, encode(t, []node{{1, "a"}, {2, strings.Repeat("b", 600_000)}}))
	src, err := Open(t.Context(), []string{path}, formats.Options{Memory: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	err = src.Nodes(t.Context(), func(*formats.NodeBatch) error { return nil })
	var limit *formats.LimitError
	if !errors.As(err, &limit) || limit.Line != 2 || limit.Limit != 512<<10 {
		t.Error(err)
	}
}
