// Command softcuda prints the path of the test double of a card's driver, built from the sources as they are:
//
//	PENSTOCK_LIBCUDA=$(go run ./cmd/softcuda) penstock run --device cuda …
//
// Arguments are sources of more kernels: the tests of driver and lower, as bench/gpu.sh runs them, need their
// testdata/*.cu.
package main

import (
	"fmt"
	"os"

	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

func main() {
	path, err := softcuda.Build(os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}
