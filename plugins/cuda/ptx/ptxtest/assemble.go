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

// Assemble fails t unless ptxas takes text, which begins with a header. It is $PENSTOCK_PTXAS or in the PATH; without
// it t goes on, and says so.
func Assemble(t testing.TB, text string) {
	t.Helper()
	ptxas := os.Getenv("PENSTOCK_PTXAS")
	if ptxas == "" {
		var err error
		if ptxas, err = exec.LookPath("ptxas"); err != nil {
			t.Log("NOTICE: not assembled, for there is no ptxas: name one by PENSTOCK_PTXAS")
			return
		}
	}
	source := filepath.Join(t.TempDir(), "text.ptx")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, architecture := range Architectures {
		if output, err := exec.Command(ptxas, "-arch="+architecture, "-o", os.DevNull, source).CombinedOutput(); err != nil {
			t.Fatalf("ptxas for %s: %v\n%s", architecture, err, output)
		}
	}
}
