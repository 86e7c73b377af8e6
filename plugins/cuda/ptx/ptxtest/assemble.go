// Package ptxtest has NVIDIA's assembler look at PTX, where there is one: it knows the language, and no card is needed.
package ptxtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Architectures are the oldest cards that the kernels are for, and ones of today, whose code differs most.
var Architectures = []string{"sm_70", "sm_90"}

// Assemble fails t unless ptxas takes text, which begins with a header, and a block of each kernel fits on every card.
// It gives what the kernels take. ptxas is $PENSTOCK_PTXAS or in the PATH; without it t goes on, and says so, except
// where $CI is set.
func Assemble(t testing.TB, text string) []Kernel {
	t.Helper()
	ptxas := assembler(t)
	if ptxas == "" {
		return nil
	}
	source := filepath.Join(t.TempDir(), "text.ptx")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var all []Kernel
	for _, architecture := range Architectures {
		output, err := exec.Command(ptxas, "-v", "-arch="+architecture, "-o", os.DevNull, source).CombinedOutput()
		if err != nil {
			t.Fatalf("ptxas for %s: %v\n%s", architecture, err, output)
		}
		all = append(all, parse(string(output))...)
	}
	for _, k := range all {
		if err := k.fits(); err != nil {
			t.Error(err)
		}
	}
	return all
}

func assembler(t testing.TB) string {
	t.Helper()
	if ptxas := os.Getenv("PENSTOCK_PTXAS"); ptxas != "" {
		return ptxas
	}
	ptxas, err := exec.LookPath("ptxas")
	switch {
	case err == nil:
		return ptxas
	case os.Getenv("CI") != "":
		t.Fatal("not assembled, for there is no ptxas: name one by PENSTOCK_PTXAS")
	default:
		t.Log("NOTICE: not assembled, for there is no ptxas: name one by PENSTOCK_PTXAS")
	}
	return ""
}
