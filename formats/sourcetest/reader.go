package sourcetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// Reader opens a graph of one file: the Open function of a reader under test.
type Reader func(*input.File, formats.Options) (formats.Source, error)

// ReadFile opens path and drains it, with leak-checked memory.
func (r Reader) ReadFile(t testing.TB, path string, opts formats.Options) (*Graph, formats.Schema, error) {
	t.Helper()
	return r.readFile(t, path, opts, Limit)
}

func (r Reader) readFile(t testing.TB, path string, opts formats.Options, limit int) (*Graph, formats.Schema, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts.Allocator = mem
	file, err := input.Open(path, nil, opts)
	if err != nil {
		return nil, formats.Schema{}, err
	}
	src, err := r(file, opts)
	if err != nil {
		return nil, formats.Schema{}, err
	}
	g, err := read(t, src, limit)
	return g, src.Schema(), err
}

// ReadText is ReadFile of a file with the given content.
func (r Reader) ReadText(t testing.TB, content string) (*Graph, formats.Schema, error) {
	t.Helper()
	return r.ReadFile(t, WriteFile(t, "input", content), formats.Options{})
}

// Bad is an input that must be refused: Want is the whole error after the path.
type Bad struct{ Name, Content, Want string }

// RunBad checks that each input gives its error, and that it is a *formats.ParseError.
func (r Reader) RunBad(t *testing.T, cases []Bad) {
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			path := WriteFile(t, "input", c.Content)
			_, _, err := r.ReadFile(t, path, formats.Options{})
			var parse *formats.ParseError
			if !errors.As(err, &parse) {
				t.Fatalf("error %v of type %T, not a ParseError", err, err)
			}
			if got := strings.TrimPrefix(err.Error(), path); got != c.Want {
				t.Errorf("got  %s\nwant %s", got, c.Want)
			}
		})
	}
}

// fuzzLimit is how many nodes or edges one fuzzed input may yield: little, for speed.
const fuzzLimit = 1000

// Fuzz checks on any input that the reader neither panics nor leaks, allocates no more than
// the input justifies, fails with a
// ParseError that names the file, and otherwise keeps its promises. Seeds are texts;
// small files that match glob in ../shared/data are added to them.
func (r Reader) Fuzz(f *testing.F, glob string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	addFiles(f, glob)
	path := filepath.Join(f.TempDir(), "input")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		CheckAllocated(t, len(content), func() {
			_, _, err = r.readFile(t, path, formats.Options{Memory: FuzzMemory}, fuzzLimit)
		})
		var parse *formats.ParseError
		if err != nil && (!errors.As(err, &parse) || parse.File != path) {
			t.Errorf("error %v of type %T does not name the file", err, err)
		}
	})
}

func addFiles(f *testing.F, glob string) {
	const small = 4 << 10
	paths, err := filepath.Glob(filepath.Join(dataFolder(), glob))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err == nil && len(content) <= small {
			f.Add(content)
		}
	}
}
