package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func TestDrawing(t *testing.T) {
	var files []*ast.File
	for _, text := range []string{`package p
func TestMain(m *testing.M) { long.Tests() }
func TestByItself(t *testing.T) { long.Draw(t, nil, 1) }
func TestByFunction(t *testing.T) { t.Run("", few) }
func TestByMethod(t *testing.T) { world{}.step(t) }
func TestByVariable(t *testing.T) { _ = times }
func TestConformance(t *testing.T) { plugintest.Run(t, nil) }
func TestOther(t *testing.T) { other(plugintest.Launch(t, nil)) }`, `package p_test
var times = map[bool]int{false: 1, true: 2}[long.Tests()]
func few(t *testing.T) { fewer(t) }
func fewer(t *testing.T) { long.Draw(t, nil, 1) }
func (world) step(t *testing.T) { fewer(t) }
func other(any) {}
func TestMuch(t *testing.T) { much(t) }
func TestFew(t *testing.T) { long.Raced(t, nil, 1) }
func much(t *testing.T) { long.Unraced(t) }
func TestOfMemory(t *testing.T) { if race { t.Skip() } }`} {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	all := []string{"TestByFunction", "TestByItself", "TestByMethod", "TestByVariable", "TestConformance",
		"TestFew", "TestMuch", "TestOfMemory"}
	got := drawing(files, false)
	if !slices.Equal(got, all) {
		t.Errorf("draw: %v, want %v", got, all)
	}
	if got, want := drawing(files, true), []string{"TestFew", "TestMuch", "TestOfMemory"}; !slices.Equal(got, want) {
		t.Errorf("unraced: %v, want %v", got, want)
	}
}

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out, false, []string{"../../query/tck", ".."}); err != nil {
		t.Fatal(err)
	}
	if want := "-run=^(TestTCK)$ github.com/penstock-db/penstock/internal/query/tck\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if err := run(&out, false, []string{"./none"}); err == nil {
		t.Error("a package that is not there has no tests, and no error")
	}
}
