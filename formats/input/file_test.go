package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
)

func gzipped(t testing.TB, content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bgzipped packs members of so much content, and the empty one that ends such a file.
func bgzipped(t testing.TB, content []byte, member int) []byte {
	var all []byte
	for part := range slices.Chunk(content, member) {
		all = append(all, bgzfMember(t, part)...)
	}
	return append(all, bgzfMember(t, nil)...)
}

func bgzfMember(t testing.TB, content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Extra = []byte{'B', 'C', 2, 0, 0, 0}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint16(b.Bytes()[16:], uint16(b.Len()-1))
	return b.Bytes()
}

func zstandard(t testing.TB, content []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(content, nil)
}

func write(t testing.TB, content []byte) string {
	path := filepath.Join(t.TempDir(), "file.txt")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, content []byte) *File {
	t.Helper()
	f, err := Open(write(t, content), nil, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A file reads the same, twice, however it is compressed and whatever its name.
func TestOpen_Compression(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		unit := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(rt, "unit")
		content := append([]byte("x"), bytes.Repeat(unit, rapid.IntRange(0, 20_000).Draw(rt, "times"))...)
		if endsByCR(content[:min(len(content), mostPeek)]) {
			content = bytes.ReplaceAll(content, []byte{'\r'}, []byte{'.'})
		}
		member := rapid.IntRange(1000, 60_000).Draw(rt, "member")
		parts := slices.Concat(bgzipped(t, content[:len(content)/3], member), gzipped(t, content[len(content)/3:]))
		for _, stored := range [][]byte{content, gzipped(t, content), zstandard(t, content), bgzipped(t, content, member),
			parts} {
			f := open(t, stored)
			for range 2 {
				if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
					rt.Fatalf("read %d bytes of %d, %v", len(got), len(content), err)
				}
				if err := f.Rewind(); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}

// An archive cut short anywhere, or with a flipped bit, is an error or reads the same:
// never silently less.
func TestOpen_DamagedArchive(t *testing.T) {
	content := bytes.Repeat([]byte("12 34\n"), 100)
	for _, c := range []struct {
		name  string
		whole []byte
	}{{"gzip", gzipped(t, content)}, {"zstd", zstandard(t, content)}, {"gzip", bgzipped(t, content, 200)}} {
		name, whole := c.name, c.whole
		for n := 4; n < len(whole); n++ {
			expectDamage(t, name, content, whole[:n])
		}
		for i := 4; i < len(whole); i++ {
			flipped := bytes.Clone(whole)
			flipped[i] ^= 0x10
			expectDamage(t, name, content, flipped)
		}
	}
}

func expectDamage(t *testing.T, archive string, content, stored []byte) {
	t.Helper()
	path := write(t, stored)
	got, err := readPath(path)
	if err == nil {
		if !bytes.Equal(got, content) {
			t.Errorf("%s of %d bytes: read %d bytes without an error", archive, len(stored), len(got))
		}
		return
	}
	var parse *formats.ParseError
	if !errors.As(err, &parse) || parse.File != path || !strings.Contains(parse.Found, archive+" archive") {
		t.Errorf("%s of %d bytes: %v", archive, len(stored), err)
	}
}

func readPath(path string) ([]byte, error) {
	f, err := Open(path, nil, formats.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// The error for a truncated archive names the file, the line that was reached and the cause.
func TestLines_TruncatedArchive(t *testing.T) {
	whole := gzipped(t, bytes.Repeat([]byte("12 34\n"), 100))
	f := open(t, whole[:len(whole)-6])
	lines := f.Lines()
	for lines.Next() {
	}
	want := f.Path + ":101: truncated gzip archive; expected an intact one: fetch or copy it again: unexpected EOF"
	if err := lines.Err(); err == nil || err.Error() != want || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestOpen_NoFile(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none"), nil, formats.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	folder := t.TempDir()
	if _, err := Open(folder, nil, formats.Options{}); err == nil || err.Error() != folder+": a folder; expected a file" {
		t.Errorf("folder: %v", err)
	}
}

func TestOpen_ByteOrderMark(t *testing.T) {
	if got, err := io.ReadAll(open(t, []byte("\xef\xbb\xbf1 2"))); err != nil || string(got) != "1 2" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFile_PeekTakesNothing(t *testing.T) {
	f := open(t, gzipped(t, []byte("1 2\n3 4\n")))
	if got := f.Peek(3); string(got) != "1 2" {
		t.Errorf("peek %q", got)
	}
	if got := f.Peek(1 << 20); string(got) != "1 2\n3 4\n" {
		t.Errorf("peek %q", got)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "1 2\n3 4\n" {
		t.Errorf("read %q, %v", got, err)
	}
}

// A pipe as standard input can be read once.
func TestOpen_Stdin(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdin = old }(os.Stdin)
	os.Stdin = r
	if _, err := w.Write(gzipped(t, []byte("1 2\n"))); err != nil {
		t.Fatal(err)
	}
	w.Close()
	f, err := Open(Stdin, nil, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "1 2\n" {
		t.Errorf("%q, %v", got, err)
	}
	if err := f.Rewind(); err == nil || !strings.HasPrefix(err.Error(),
		"standard input: an input that can be read only once; expected a file") {
		t.Errorf("rewind: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
