package csv

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/internal/testseed"
)

// texts are spellings of a field, and what they mean.
var texts = [][2]string{
	{"plain", "plain"}, {"", ""}, {`""`, ""}, {`"two` + "\n" + `lines"`, "two\nlines"}, {`"a ""quote"""`, `a "quote"`},
	{`"` + "\n\n" + `"`, "\n\n"}, {`"x,y"`, "x,y"}, {`"""` + "\r\n" + `"""`, "\"\r\n\""},
}

// However the file is cut, and by however many processors it is read, records come as
// they are written, from the lines where they are, up to the first that is bad.
func TestOpen_Blocks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := testseed.Rand(t)
	for range 8 {
		header := []string{":START_ID,:END_ID,note\n", "source,target,note\n"}[r.IntN(2)] // of a type inferred, or not
		var file strings.Builder
		file.WriteString(header)
		var want []string
		line := 2
		for i := range 1 + r.IntN(60_000) {
			text := texts[r.IntN(len(texts))]
			if r.IntN(20_000) == 0 {
				long := strings.Repeat("long\n", r.IntN(200_000))
				text = [2]string{`"` + long + `"`, long}
			}
			record := fmt.Sprintf("%d,v%d,%s\n", i, r.IntN(100), text[0])
			if r.IntN(40) == 0 {
				record += "\n"
			}
			file.WriteString(record)
			id, _, _ := strings.Cut(strings.SplitN(record, ",", 3)[1], ",")
			want = append(want, fmt.Sprintf("%d: %d %s %q", line, i, id, text[1]))
			line += strings.Count(record, "\n")
		}
		bad := r.IntN(2) == 0
		if bad {
			file.WriteString("1,2\n" + strings.Repeat("1,2,\"\n", r.IntN(5)) + strings.Repeat("1,\"2\n", r.IntN(100_000)))
		}
		runtime.GOMAXPROCS(1 + r.IntN(4))
		got, err := spelledEdges(t, writeFile(t, "edges.csv", file.String()))
		var failure *formats.ParseError
		if bad != (errors.As(err, &failure) && failure.Line == int64(line) && failure.Found == "2 fields") || !bad &&
			err != nil {
			t.Fatalf("%v, after line %d", err, line)
		}
		if !bad && len(got) != len(want) || len(got) > len(want) {
			t.Fatalf("%d records, not %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("record %d is %.200s, not %.200s", i, got[i], want[i])
			}
		}
	}
}

// spelledEdges is every edge with its line and note, as far as there is no error.
func spelledEdges(t *testing.T, path string) (all []string, err error) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	src, err := open(context.Background(), []string{path}, formats.Options{Allocator: mem})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	err = src.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		notes := b.Props.Column(0).(*array.String)
		for i := range b.Src.Len() {
			all = append(all, fmt.Sprintf("%d: %s %s %q", b.Where(i).Line, b.Src.Text(i), b.Dst.Text(i), notes.Value(i)))
		}
		return nil
	})
	return all, err
}

func TestOpen_QuoteThatIsNeverClosed(t *testing.T) {
	text := ":START_ID,:END_ID,note\n1,2,a\n1,2,\"" + strings.Repeat("xxxxxxxxxxxxxxx\n", maxRecord/16+100_000)
	_, err := spelledEdges(t, writeFile(t, "open.csv", text))
	var failure *formats.ParseError
	if !errors.As(err, &failure) || failure.Line != 3 || failure.Column != 5 ||
		failure.Expected != "a closing quote within 16 MiB" {
		t.Error(err)
	}
}

// Relationships of two integers are read the fast way, and any other beside them as always.
func TestOpen_Pairs(t *testing.T) {
	ids := [][2]string{
		{"0", "0"}, {"7", "7"}, {"12345678", "12345678"}, {"999999999999999999", "999999999999999999"},
		{"9223372036854775807", "9223372036854775807"}, {"9223372036854775808", "9223372036854775808"},
		{" 5 ", "5"}, {`"6"`, "6"}, {"007", "007"}, {"-1", "-1"}, {"1 2", "1 2"}, {"1\t2", "1\t2"}, {"x", "x"},
		{`"a` + "\n" + `b"`, "a\nb"},
	}
	r := testseed.Rand(t)
	var file strings.Builder
	file.WriteString(":START_ID,:END_ID\n")
	var want []string
	for line := 2; line < 100_000; {
		src, dst := ids[r.IntN(4)], ids[r.IntN(4)]
		if r.IntN(100) == 0 {
			src, dst = ids[r.IntN(len(ids))], ids[r.IntN(len(ids))]
		}
		record := src[0] + "," + dst[0] + []string{"\n", "\r\n", "\n\n"}[r.IntN(3)]
		file.WriteString(record)
		want = append(want, fmt.Sprintf("%d: %s %s", line, src[1], dst[1]))
		line += strings.Count(record, "\n")
	}
	src, err := open(context.Background(), []string{writeFile(t, "edges.csv", file.String())}, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	err = src.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		for i := range b.Src.Len() {
			if got := fmt.Sprintf("%d: %s %s", b.Where(i).Line, b.Src.Text(i), b.Dst.Text(i)); got != want[0] {
				return fmt.Errorf("%q, not %q", got, want[0])
			}
			want = want[1:]
		}
		return nil
	})
	if err != nil || len(want) > 0 {
		t.Errorf("%v, %d records short", err, len(want))
	}
}
