package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/gosource"
)

func load(t *testing.T, dir string) *gosource.Module {
	t.Helper()
	module, err := gosource.Load(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	return module
}

func TestList(t *testing.T) {
	want := `package example.com/house
11 symbols
not public: inside.Stove
func Build[T any](with func(T)) *House
const Doors untyped int = 3
func Fault() *inside.Problem
type Guest interface
type Guest interface, Knock(times ...int)
type Guest interface, unexported methods
type House struct
type House struct, Name string
type House struct, Windows int
type House struct, embedded io.Closer
method (*House) Open(door string) error
method (House) Stoves() map[string][]*inside.Stove
type Name = string
type Problem = inside.Problem
type Problem struct
type Problem struct, Where string
method (*inside.Problem) Error() string
var Street []House
`
	got, handedOut := list(load(t, "testdata/now"))
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if want := []string{"example.com/house: inside.Stove"}; !reflect.DeepEqual(handedOut, want) {
		t.Errorf("it hands out %q, want %q", handedOut, want)
	}
}

func TestChanged(t *testing.T) {
	got := changed("a\nb\nc\n", "a\nc\nd\n")
	if want := []string{"-b", "+d"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := changed("a\n", "a\n"); got != nil {
		t.Errorf("got %q of equal listings", got)
	}
}

func TestDifference(t *testing.T) {
	var out strings.Builder
	before, now := load(t, "testdata/before"), load(t, "testdata/now")
	breaking, err := difference(&out, before, now)
	if err != nil {
		t.Fatal(err)
	}
	// The value of the constant and the parameter.
	if breaking != 2 || !strings.Contains(out.String(),
		"- (*House).Open: changed from func(int) error to func(string) error") {
		t.Errorf("%d breaking changes:\n%s", breaking, &out)
	}
	if breaking, err := difference(&out, now, now); err != nil || breaking != 0 {
		t.Errorf("%d changes of nothing: %v", breaking, err)
	}
}
