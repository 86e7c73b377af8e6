package input

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats"
)

// Where lines end by carriage returns alone, these are line feeds: also behind a byte order mark, on reading again, and
// far behind. Where there are line feeds, or all carriage returns are quoted, the text stays.
func TestFile_LineEnds(t *testing.T) {
	const far = 300_000
	for in, want := range map[string]string{
		"a,b\r1,2\r":                       "a,b\n1,2\n",
		"\xef\xbb\xbfa\rb":                 "a\nb",
		"a,\"x\ry\"\r1,2\r":                "a,\"x\ny\"\n1,2\n",
		strings.Repeat("12345 7\r", far/8): strings.Repeat("12345 7\n", far/8),
		"a,b\r\n1,2\r\n":                   "a,b\r\n1,2\r\n",
		"a\rb\n":                           "a\rb\n",
		"a,\"x\ry\"":                       "a,\"x\ry\"",
		"a,\"x\ry\",\"z\r":                 "a,\"x\ry\",\"z\r",
		"PAR1\r\x00":                       "PAR1\r\x00",
		"":                                 "",
	} {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, nil, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for range 2 {
			if got, err := io.ReadAll(f); err != nil || string(got) != want {
				t.Errorf("%.20q is read as %.20q (%d bytes), %v; expected %.20q", in, got, len(got), err, want)
			}
			if err := f.Rewind(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
