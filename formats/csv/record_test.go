package csv

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// readRecords splits content into records with comma, and stops at an error.
func readRecords(t testing.TB, path string) (all [][]string, lines []int64, err error) {
	t.Helper()
	in, err := input.Open(path, nil, formats.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	opened := newRecords(in.Lines(), ',')
	r := &opened
	for r.next() {
		fields := make([]string, len(r.fields))
		for i := range fields {
			fields[i] = string(r.bytes(i))
		}
		all, lines = append(all, fields), append(lines, r.line())
	}
	return all, lines, r.err
}

// FuzzRecords compares with encoding/csv, which normalizes line ends.
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,\"b\"\"c\"\n", "\"two\nlines\",x\n\n\ny,z", "a\r\nb\r\n", "\"a\r\nb\"\r\n", ",\n,,\n\"\",\"\"",
		"a\"b\n", "\"a\"b\n", "\"open", "\"\"\"\"", "x,\"", "\"\n\n\n\"", ",\"a\n\"\"b\n\",c\nd",
	} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "fuzz.csv")
	f.Fuzz(func(t *testing.T, content []byte) {
		// A lone carriage return at an end of line and binary data are treated differently on purpose.
		if bytes.IndexByte(content, 0) >= 0 || bytes.Contains(content, []byte("\r")) ||
			bytes.HasPrefix(content, []byte("\xef\xbb\xbf")) {
			t.Skip("is read differently on purpose")
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, lines, gotErr := readRecords(t, path)
		if isArchive(content) {
			t.Skip("is an archive, and unpacked first")
		}
		oracle := csv.NewReader(bytes.NewReader(content))
		oracle.FieldsPerRecord = -1
		for i := 0; ; i++ {
			want, err := oracle.Read()
			if err != nil {
				if (err == io.EOF) != (gotErr == nil) || i != len(got) {
					t.Fatalf("record %d: want error %v, got %v after %d records", i, err, gotErr, len(got))
				}
				return
			}
			line, _ := oracle.FieldPos(0)
			if i >= len(got) || !slices.Equal(want, got[i]) || int64(line) != lines[i] {
				t.Fatalf("record %d: want %q at line %d, got %q at %v", i, want, line, got[i:], lines)
			}
		}
	})
}

func isArchive(content []byte) bool {
	return bytes.HasPrefix(content, []byte{0x1f, 0x8b}) || bytes.HasPrefix(content, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

func TestRecords_KeepsWhatQuotesHold(t *testing.T) {
	path := writeFile(t, "r.csv", "\"a\r\nb\",\"\",\r\n\"\r\",c")
	in, err := input.Open(path, nil, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	opened := newRecords(in.Lines(), ',')
	r := &opened
	if !r.next() || string(r.bytes(0)) != "a\r\nb" || r.null(1) || !r.null(2) {
		t.Errorf("first record %q, nulls %v %v", r.text, r.null(1), r.null(2))
	}
	if !r.next() || string(r.bytes(0)) != "\r" || r.line() != 3 {
		t.Errorf("second record %q at line %d", r.text, r.line())
	}
	if r.next() || r.err != nil {
		t.Errorf("a third record, or %v", r.err)
	}
}

func TestRecords_QuoteThatIsNeverClosed(t *testing.T) {
	path := writeFile(t, "open.csv", "a\n\"b"+strings.Repeat("xxxxxxxxxxxxxxx\n", maxRecord/16+1))
	_, _, err := readRecords(t, path)
	var parse *formats.ParseError
	if !errors.As(err, &parse) || parse.Line != 2 || parse.Column != 1 || len(err.Error()) > 300 {
		t.Errorf("got %v", err)
	}
}

func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
