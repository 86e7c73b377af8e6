// Structure measures how a Go module is built, without its tests and generated files: methods and fields of types,
// files of packages, knots of files that all depend on each other, exported symbols, parameters of functions, and names
// that are declared many times.
//
//	go run ./internal/structure [-rows N] [DIR]     prints tables for the module at DIR (here)
//	go run ./internal/structure -check [DIR]        fails where a type or a package is too large, there or in a module that is
//	                                                nested below DIR/plugins
//
// Limits: 30 methods and 20 fields a type, 25 files a package. DIR/internal/structure/exceptions.txt names exceptions,
// each with its reason.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/gosource"
)

func main() {
	rows := flag.Int("rows", 40, "rows of a table")
	check := flag.Bool("check", false, "fail where a type or a package is too large")
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(os.Stdout, dir, *rows, *check); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

// run measures the module at dir, and prints or checks it.
func run(w io.Writer, dir string, rows int, check bool) error {
	module, err := gosource.LoadCgo(dir, "./...")
	if err != nil {
		return err
	}
	m := measure(module, module.Path)
	if !check {
		return m.print(w, rows)
	}
	nested, err := nestedModules(filepath.Join(dir, "plugins"))
	if err != nil {
		return err
	}
	for _, dir := range nested {
		other, err := gosource.LoadCgo(dir, "./...")
		if err != nil {
			return err
		}
		m = m.with(measure(other, module.Path))
	}
	exceptions, err := openExceptions(filepath.Join(dir, "internal", "structure", "exceptions.txt"))
	if err != nil {
		return err
	}
	breaches := m.breaches(exceptions)
	for _, b := range breaches {
		fmt.Fprintln(w, b)
	}
	if len(breaches) > 0 {
		return fmt.Errorf("%d limits are exceeded", len(breaches))
	}
	return nil
}

// nestedModules are the folders below dir that have a module of their own; none, where there is no such folder.
func nestedModules(dir string) (modules []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == dir:
			return fs.SkipAll
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case entry.Name() == "go.mod":
			modules = append(modules, filepath.Dir(path))
		}
		return nil
	})
	return modules, err
}

// openExceptions reads the file of exceptions; a module without one has none.
func openExceptions(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	exceptions, err := readExceptions(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return exceptions, nil
}
