// Write writes docs/catalog.md, what each built-in algorithm is. It runs in the module's folder.
package main

import (
	"fmt"
	"os"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/manual/page"
)

func main() {
	if err := write("docs/catalog.md"); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	definitions, err := page.Definitions("algorithms")
	if err != nil {
		return err
	}
	text, err := page.Of(catalog.All(), definitions)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
