package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/gosource"
)

// house measures the fixture.
func house(t *testing.T) Measure {
	t.Helper()
	module, err := gosource.Load("testdata/house", "./...")
	if err != nil {
		t.Fatal(err)
	}
	return measure(module, module.Path)
}

func TestMeasure(t *testing.T) {
	want := Measure{
		Module: "example.com/house",
		Packages: []Package{
			{Name: ".", Files: 3, Knot: 2, Exported: 5},
			{Name: "internal/cellar", Internal: true, Files: 1, Exported: 2},
			{Name: "roof", Files: 1, Exported: 1},
		},
		Types: []Type{
			{Package: ".", Name: "House", Methods: 2, Fields: 3, Files: 1},
			{Package: ".", Name: "door", Methods: 1, Fields: 1, Files: 1},
			{Package: ".", Name: "Opener", Methods: 1},
			{Package: "internal/cellar", Name: "Cellar", Methods: 1, Files: 1},
			{Package: "roof", Name: "Roof", Fields: 1},
		},
		Names:     []Name{{"open", 2}},
		Functions: 4,
		Params:    1,
		Lines:     1,
	}
	if got := house(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestKnot(t *testing.T) {
	for _, c := range []struct {
		uses [][]int
		want int
	}{
		{nil, 0},
		{[][]int{{1}, {2}, {}}, 0},
		{[][]int{{1}, {0}, {0}}, 2},
		{[][]int{{1}, {2}, {0}, {4}, {3}}, 3},
		{[][]int{{1, 3}, {2}, {0}, {4}, {3, 0}}, 5},
	} {
		if got := knot(c.uses); got != c.want {
			t.Errorf("knot(%v) = %d, want %d", c.uses, got, c.want)
		}
	}
}

func TestPrint(t *testing.T) {
	var out strings.Builder
	if err := house(t).print(&out, 1); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"packages that anyone can import 2", "exported symbols 8", "exported symbols that anyone can import 6",
		"..House 2 3 1", "..House 3 2 1", ". 3 2 5", "open 2",
	} {
		if !strings.Contains(squeezed(out.String()), "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
	if strings.Contains(out.String(), "..door") {
		t.Errorf("more rows than one:\n%s", out.String())
	}
}

// squeezed has one space between the cells of a line.
func squeezed(table string) string {
	var lines []string
	for line := range strings.Lines(table) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

func TestBreaches(t *testing.T) {
	m := Measure{
		Packages: []Package{{Name: "a", Files: maxFiles}, {Name: "b", Files: maxFiles + 1}, {Name: "c", Files: maxFiles + 1}},
		Types: []Type{
			{Package: "a", Name: "T", Methods: maxMethods, Fields: maxFields},
			{Package: "a", Name: "U", Methods: maxMethods + 1, Fields: maxFields + 1},
			{Package: "a", Name: "V", Methods: maxMethods + 1, Fields: maxFields + 1},
		},
	}
	exceptions, err := readExceptions(strings.NewReader("# tables\n\na.V a table\nc   one file a name\na.T not needed\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a.T: an exception that is not needed",
		fmt.Sprintf("a.U: %d fields, at most %d", maxFields+1, maxFields),
		fmt.Sprintf("a.U: %d methods, at most %d", maxMethods+1, maxMethods),
		fmt.Sprintf("b: %d files, at most %d", maxFiles+1, maxFiles),
	}
	if got := m.breaches(exceptions); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A module below plugins is held to the limits too, with the names that its packages have below the module around it.
func TestRun_ChecksNestedModules(t *testing.T) {
	var out strings.Builder
	err := run(&out, "testdata/house", 1, true)
	want := fmt.Sprintf("plugins/annex.Wide: %d fields, at most %d\n", maxFields+1, maxFields)
	if err == nil || out.String() != want {
		t.Errorf("%v, %q; expected %q", err, out.String(), want)
	}
}

func TestReadExceptions_NoReason(t *testing.T) {
	if _, err := readExceptions(strings.NewReader("store.Tx \n")); err == nil ||
		!strings.Contains(err.Error(), "store.Tx") {
		t.Errorf("got %v", err)
	}
}

func TestRun_Unknown(t *testing.T) {
	if err := run(new(strings.Builder), t.TempDir(), 1, false); err == nil {
		t.Error("a folder without a module is measured")
	}
}
