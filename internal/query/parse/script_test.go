package parse

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestScript(t *testing.T) {
	script := "// first; of all\nCREATE (:A {s: 'a;\\';b'});;\n/* ; */ ;\nMATCH (`n;``m`)\n-->() RETURN \";\" /* x ; */ ; RETURN 1 // end"
	want := []Part{
		{"// first; of all\nCREATE (:A {s: 'a;\\';b'})", 1, 1},
		{"MATCH (`n;``m`)\n-->() RETURN \";\" /* x ; */ ", 4, 2},
		{"RETURN 1 // end", 5, 3},
	}
	var got []Part
	for part, err := range Script(iotest.OneByteReader(strings.NewReader(script))) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, part)
		if _, err := Statement(part.Text); err != nil {
			t.Errorf("%q: %v", part.Text, err)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d is %+v, wanted %+v", i, got[i], want[i])
		}
	}
}

func TestScriptFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("RETURN 1; RETURN '"), iotest.ErrReader(io.ErrUnexpectedEOF))
	parts := 0
	for _, err := range Script(broken) {
		if parts++; parts == 2 && !errors.Is(err, io.ErrUnexpectedEOF) || parts != 2 && err != nil {
			t.Errorf("part %d: %v", parts, err)
		}
	}
	if parts != 2 {
		t.Errorf("%d parts", parts)
	}
}

func FuzzScript(f *testing.F) {
	f.Add("RETURN 1; RETURN ';' /* ; */")
	f.Fuzz(func(t *testing.T, script string) {
		for part, err := range Script(strings.NewReader(script)) {
			if err != nil || !strings.Contains(script, part.Text) {
				t.Fatalf("%q: %v", part.Text, err)
			}
		}
	})
}
