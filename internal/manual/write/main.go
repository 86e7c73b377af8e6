// Write writes docs/catalog.md, what each built-in algorithm is. It runs in the module's folder.
package main

import (
	"fmt"
	"os"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/manual"
)

func main() {
	if err := write("docs/catalog.md"); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	definitions, err := manual.Definitions("algorithms")
	if err != nil {
		return err
	}
	page, err := manual.Page(algorithms.All(), definitions)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(page), 0o644)
}
