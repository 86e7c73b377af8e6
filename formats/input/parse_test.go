package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
)

// textSize is how much text these tests parse at a time.
var textSize = Blocks{Row: 4}.size()

// gathered is a Parser that keeps lines, and refuses "bad".
type gathered struct {
	block []string
	at    []int64
	flush func(line string, number int64) error
}

func (g *gathered) Parse(block *Lines) error {
	g.block, g.at = g.block[:0], g.at[:0]
	for block.Next() {
		if string(block.Bytes()) == "bad" {
			return block.BadLine("good")
		}
		g.block, g.at = append(g.block, string(block.Bytes())), append(g.at, block.Number())
	}
	return block.Err()
}

func (g *gathered) Flush(before int64) error {
	for i, line := range g.block {
		if err := g.flush(line, before+g.at[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *gathered) Release() {}

func parseAll(ctx context.Context, lines *Lines, flush func(string, int64) error) error {
	return lines.Parse(ctx, Blocks{Row: 4}, func() Parser { return &gathered{flush: flush} })
}

// Blocks hand on the lines, numbers and error that reading line by line finds, whatever
// the number of processors.
func TestParse_AsLineByLine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rapid.Check(t, func(rt *rapid.T) {
		runtime.GOMAXPROCS(rapid.IntRange(1, 4).Draw(rt, "processors"))
		length := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(textSize-3, textSize+3), rapid.Just(3*textSize))
		lengths := rapid.SliceOfN(length, 0, 8).Draw(rt, "lengths")
		var text strings.Builder
		for i, n := range lengths {
			text.WriteString(strings.Repeat(string(rune('c'+i)), n))
			text.WriteString(rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end"))
		}
		text.WriteString(rapid.SampledFrom([]string{"", "last", "bad", "bad\nworse", "\x00"}).Draw(rt, "last"))

		type numbered struct {
			line   string
			number int64
		}
		var want, got []numbered
		lines := open(t, []byte(text.String())).Lines()
		var failure error
		for failure == nil && lines.Next() {
			if string(lines.Bytes()) == "bad" {
				failure = lines.BadLine("good")
				break
			}
			want = append(want, numbered{string(lines.Bytes()), lines.Number()})
		}
		failure = errors.Join(failure, lines.Err())

		keep := func(line string, number int64) error {
			got = append(got, numbered{line, number})
			return nil
		}
		lines = open(t, []byte(text.String())).Lines()
		for range rapid.IntRange(0, min(2, len(lengths))).Draw(rt, "read before") {
			lines.Next()
			_ = keep(string(lines.Bytes()), lines.Number()) // cannot fail
		}
		if len(got) > 0 && rapid.Bool().Draw(rt, "back") {
			lines.Back()
			got = got[:len(got)-1]
		}
		err := parseAll(t.Context(), lines, keep)
		if position(err) != position(failure) {
			rt.Fatalf("%v, want %v", err, failure)
		}
		if len(got) > len(want) || failure == nil && len(got) < len(want) || !slices.Equal(got, want[:len(got)]) {
			rt.Fatalf("%d lines, want %d", len(got), len(want))
		}
	})
}

// position is an error without the file's name, which is random.
func position(err error) string {
	var failure *formats.ParseError
	if !errors.As(err, &failure) {
		return fmt.Sprint(err)
	}
	return fmt.Sprint(failure.Line, failure.Column, failure.Found, failure.Expected)
}

// Of several bad lines the first is reported, also when a later one is found before it.
func TestParse_FirstError(t *testing.T) {
	text := strings.Repeat(strings.Repeat("x", 99)+"\n", 20_000) + "bad\n" + strings.Repeat("bad\n", 200_000)
	var failure *formats.ParseError
	err := parseAll(t.Context(), open(t, []byte(text)).Lines(), func(string, int64) error { return nil })
	if !errors.As(err, &failure) || failure.Line != 20_001 {
		t.Errorf("%v", err)
	}
}

func TestParse_TooLong(t *testing.T) {
	lines := open(t, []byte("short\n"+strings.Repeat("x", 3*textSize))).Lines()
	lines.limit = 2 * textSize
	var failure *formats.ParseError
	err := parseAll(t.Context(), lines, func(string, int64) error { return nil })
	if !errors.As(err, &failure) || failure.Line != 2 || !strings.HasPrefix(failure.Found, "a line of more than") {
		t.Errorf("%v", err)
	}
}

// A truncated archive is an error in the line that it breaks off.
func TestParse_Truncated(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for i := range 200_000 {
		fmt.Fprintln(w, i*i)
	}
	w.Close()
	content := packed.Bytes()[:packed.Len()*2/3]
	lines := open(t, content).Lines()
	for lines.Next() {
	}
	err := parseAll(t.Context(), open(t, content).Lines(), func(string, int64) error { return nil })
	var want, got *formats.ParseError
	if !errors.As(lines.Err(), &want) || !errors.As(err, &got) || position(got) != position(want) {
		t.Errorf("%v, want %v", err, lines.Err())
	}
}

func TestParse_Stops(t *testing.T) {
	text := []byte(strings.Repeat("1 2\n", 1_000_000))
	enough := errors.New("enough")
	if err := parseAll(t.Context(), open(t, text).Lines(), func(string, int64) error { return enough }); !errors.Is(err,
		enough) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := parseAll(ctx, open(t, text).Lines(), func(string, int64) error { cancel(); return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
}
