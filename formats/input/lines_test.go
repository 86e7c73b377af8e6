package input

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
)

// Lines are what strings.Split finds, for lines shorter and longer than the buffer.
func TestLines_Split(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		length := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(bufferSize-2, bufferSize+2), rapid.Just(3*bufferSize))
		lengths := rapid.SliceOfN(length, 0, 6).Draw(rt, "lengths")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end")
		want := make([]string, len(lengths))
		for i, n := range lengths {
			want[i] = strings.Repeat(string(rune('a'+i)), n)
		}
		text := strings.Join(want, end)
		if rapid.Bool().Draw(rt, "last line ended") && len(want) > 0 {
			text += end
		} else if len(want) > 0 && want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		lines := open(t, []byte(text)).Lines()
		for i, line := range want {
			if !lines.Next() || string(lines.Bytes()) != line || lines.Number() != int64(i+1) {
				rt.Fatalf("line %d: %d bytes, number %d, want %d bytes; %v", i+1, len(lines.Bytes()), lines.Number(), len(line),
					lines.Err())
			}
		}
		if lines.Next() || lines.Err() != nil {
			rt.Fatalf("after the last line: %q, %v", lines.Bytes(), lines.Err())
		}
	})
}

func TestLines_TooLong(t *testing.T) {
	f := open(t, []byte("short\n"+strings.Repeat("x", 3*bufferSize)))
	lines := f.Lines()
	lines.limit = 2 * bufferSize
	if !lines.Next() || lines.Next() {
		t.Fatal("want one line")
	}
	var parse *formats.ParseError
	if err := lines.Err(); !errors.As(err, &parse) || parse.Line != 2 ||
		!strings.HasPrefix(parse.Found, "a line of more than") {
		t.Errorf("%v", err)
	}
	if lines.Next() {
		t.Error("a line after an error")
	}
}

func TestLines_Binary(t *testing.T) {
	f := open(t, []byte("1 2\n3 \x00 4\n"))
	lines := f.Lines()
	for lines.Next() {
	}
	if err := lines.Err(); err == nil || err.Error() != f.Path+":2: binary data; expected text" {
		t.Errorf("%v", err)
	}
}

func TestLines_AllocateNothing(t *testing.T) {
	lines := open(t, bytes.Repeat([]byte("123 456\n"), 10_000)).Lines()
	var fields Fields
	if n := testing.AllocsPerRun(1000, func() {
		lines.Next()
		fields.Reset(lines.Bytes())
		fields.Next()
	}); n != 0 {
		t.Errorf("%v allocations a line", n)
	}
}

func TestQuote(t *testing.T) {
	for field, want := range map[string]string{
		"a\tb":                         `"a\tb"`,
		"\xff\xfe":                     "binary data",
		strings.Repeat("é", 100):       fmt.Sprintf("%q…", strings.Repeat("é", 30)),
		strings.Repeat("a", 59) + "éé": fmt.Sprintf("%q…", strings.Repeat("a", 59)),
	} {
		if got := Quote([]byte(field)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
