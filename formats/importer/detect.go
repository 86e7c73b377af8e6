package importer

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// headBytes is how much of a file detection looks at.
const headBytes = 4 << 10

// detect finds the one reader for all files: by an unmistakable beginning, else by
// the ending, else by what the lines look like.
func detect(files []*input.File) (*reader, error) {
	first := detectOne(files[0])
	if first == nil {
		return nil, unknown(files[0])
	}
	for _, f := range files[1:] {
		if r := detectOne(f); r != first {
			return nil, &formats.ParseError{
				Position: f.At(0), Found: fmt.Sprintf("a file of another kind than %s (%s)", files[0].Path, first.name),
				Expected: "files of one format, or the format to be named",
			}
		}
	}
	return first, nil
}

func detectOne(f *input.File) *reader {
	head, name := f.Peek(headBytes), strippedName(f.Path)
	ending := filepath.Ext(name)
	for _, r := range readers {
		if r.begins != nil && r.name != "edgelist" && r.begins(head, name) {
			return r
		}
	}
	for _, r := range readers {
		if slices.Contains(r.endings, ending) {
			return r
		}
	}
	if looksLikeEdges(head, name) {
		return byName("edgelist")
	}
	return nil
}

// strippedName is the file name in small letters without the ending of an archive.
func strippedName(path string) string {
	name := strings.ToLower(filepath.Base(path))
	for _, archive := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, archive)
	}
	return name
}

// looksLikeEdges is true when the first line that is no comment begins with two ids.
func looksLikeEdges(head []byte, _ string) bool {
	for len(head) > 0 {
		line, rest, complete := bytes.Cut(head, []byte("\n"))
		head = rest
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == '%' || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		return complete && startsWithTwoIDs(line) || !complete && len(rest) == 0 && startsWithTwoIDs(line)
	}
	return false
}

func startsWithTwoIDs(line []byte) bool {
	fields := input.Fields{Comma: true}
	fields.Reset(line)
	for range 2 {
		field, ok := fields.Next()
		if _, integer := formats.ParseID(string(field)); !ok || !integer {
			return false
		}
	}
	return true
}

func unknown(f *input.File) error {
	return &formats.ParseError{
		Position: f.At(0), Found: "a file of unknown format",
		Expected: "the format to be named, one of " + strings.Join(Formats(), ", "),
	}
}
