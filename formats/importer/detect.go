package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/bagofwords"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/input"
)

// headBytes is how much of a file detection looks at.
const headBytes = 16 << 10

// detect finds the one reader for all files.
func detect(files []*input.File, opts formats.Options) (*reader, error) {
	first := detectOne(files[0])
	if len(files) == 2 && docword(files) >= 0 {
		return byName("bag-of-words"), nil // the other one is of its words
	}
	if first == nil {
		return nil, unknown(files[0])
	}
	if first.name == "edgelist" && opts.Left.Label != "" && len(opts.Columns) == 0 && looksLikeRatings(files[0]) {
		first = byName("ratings")
	}
	for _, f := range files[1:] {
		if r := detectOne(f); r != first {
			return nil, &formats.ParseError{
				Position: f.At(0), Found: fmt.Sprintf("a file of another kind than %s, which is %s", files[0].Path, first.name),
				Expected: "files of one format, or the format to be named",
			}
		}
	}
	return first, nil
}

// detectOne tells the format by an unmistakable beginning, else by the ending of the
// name, else by two integers at the start of the first line: an edge list.
func detectOne(f *input.File) *reader {
	head := f.Peek(headBytes)
	_, ending := input.SplitName(f.Path)
	for _, r := range readers {
		if r.begins != nil && r.begins(head, f.Path) {
			return r
		}
	}
	for _, r := range readers {
		if slices.Contains(r.endings, ending) {
			return r
		}
	}
	if looksLikeEdges(head) {
		return byName("edgelist")
	}
	return nil
}

// beginsWith compares without regard to case.
func beginsWith(magic string) func([]byte, string) bool {
	return func(head []byte, _ string) bool {
		return len(head) >= len(magic) && strings.EqualFold(string(head[:len(magic)]), magic)
	}
}

// looksLikeDimacs is true when line "p sp" or "p tw" comes after comments only.
func looksLikeDimacs(head []byte, _ string) bool {
	line := firstLine(head, func(line []byte) bool { return line[0] == 'c' && (len(line) == 1 || line[1] == ' ') })
	return bytes.HasPrefix(line, []byte("p sp ")) || bytes.HasPrefix(line, []byte("p tw "))
}

// headerlessTable is true for a .csv or .tsv that starts with two integers instead of
// column titles.
func headerlessTable(head []byte, path string) bool {
	_, ending := input.SplitName(path)
	return (ending == ".csv" || ending == ".tsv") && looksLikeEdges(head)
}

// looksLikeEdges is true when the first line that is no comment begins with two integers.
func looksLikeEdges(head []byte) bool {
	fields := input.Fields{Comma: true}
	fields.Reset(firstLine(head, edgelist.IsComment))
	for range 2 {
		field, ok := fields.Next()
		if _, integer := input.ParseInt(field); !ok || !integer {
			return false
		}
	}
	return true
}

// looksLikeRatings is true when the first line that is no comment has as many fields as a rating.
func looksLikeRatings(f *input.File) bool {
	n := input.Fields{Comma: true}.Count(firstLine(f.Peek(headBytes), edgelist.IsComment))
	return n == 3 || n == 4
}

// docword is which of the files holds a bag of words; -1: none does.
func docword(files []*input.File) int {
	return slices.IndexFunc(files, func(f *input.File) bool { return bagofwords.Sniff(f.Peek(headBytes), f.Path) })
}

// looksLikeBagOfWords tells a bag of words from lists of neighbors by its name.
func looksLikeBagOfWords(head []byte, path string) bool {
	_, ending := input.SplitName(path)
	return (ending == ".txt" || ending == "") && bagofwords.Sniff(head, path)
}

// firstLine is the first line of head that is neither blank nor a comment, else nil.
func firstLine(head []byte, isComment func(line []byte) bool) []byte {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(bytes.TrimSpace(line)) > 0 && !isComment(line) {
			return line
		}
		head = rest
	}
	return nil
}

// unknown says what the file is, as far as can be told: damaged, empty, binary or just strange.
func unknown(f *input.File) error {
	found := "a file of unknown format"
	head := f.Peek(headBytes)
	switch {
	case len(head) == 0:
		if _, err := f.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			return err
		}
		found = "an empty file"
	case bytes.IndexByte(head, 0) >= 0:
		found = "binary data of unknown format"
	}
	return &formats.ParseError{
		Position: f.At(0), Found: found,
		Expected: "one of the formats " + strings.Join(Formats(), ", ") + "; name it when the file does not tell",
	}
}
