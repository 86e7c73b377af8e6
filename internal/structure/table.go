package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// print writes the tables: the module as a whole, its largest types and packages, and the names declared most often,
// each at most rows long.
func (m Measure) print(w io.Writer, rows int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	m.printTotals(t)
	fmt.Fprintf(t, "\ntype\tmethods\tfields\tfiles\n")
	for _, x := range m.Types[:min(rows, len(m.Types))] {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", x.name(), x.Methods, x.Fields, x.Files)
	}
	fmt.Fprintf(t, "\ntype, most fields first\tfields\tmethods\tfiles\n")
	byFields := slices.SortedStableFunc(slices.Values(m.Types),
		func(a, b Type) int { return cmp.Compare(b.Fields, a.Fields) })
	for _, x := range byFields[:min(rows, len(byFields))] {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", x.name(), x.Fields, x.Methods, x.Files)
	}
	fmt.Fprintf(t, "\npackage\tfiles\tknot\texported\n")
	byFiles := slices.SortedStableFunc(slices.Values(m.Packages),
		func(a, b Package) int { return cmp.Compare(b.Files, a.Files) })
	for _, p := range byFiles {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", p.Name, p.Files, p.Knot, p.Exported)
	}
	fmt.Fprintf(t, "\nname\tdeclared\n")
	for _, n := range m.Names[:min(rows, len(m.Names))] {
		fmt.Fprintf(t, "%s\t%d\n", n.Name, n.Declared)
	}
	return t.Flush()
}

// printTotals sums the module up.
func (m Measure) printTotals(w io.Writer) {
	var public, publicSymbols, files, symbols int
	for _, p := range m.Packages {
		files += p.Files
		symbols += p.Exported
		if !p.Internal && !p.Command {
			public++
			publicSymbols += p.Exported
		}
	}
	fmt.Fprintf(w, "module\t%s\n", m.Module)
	fmt.Fprintf(w, "packages\t%d\n", len(m.Packages))
	fmt.Fprintf(w, "packages that anyone can import\t%d\n", public)
	fmt.Fprintf(w, "files outside tests\t%d\n", files)
	fmt.Fprintf(w, "exported symbols\t%d\n", symbols)
	fmt.Fprintf(w, "exported symbols that anyone can import\t%d\n", publicSymbols)
	fmt.Fprintf(w, "functions\t%d\n", m.Functions)
	fmt.Fprintf(w, "median lines of a function\t%d\n", m.Lines)
	fmt.Fprintf(w, "median parameters of a function\t%d\n", m.Params)
}

// name is the type's name behind its package.
func (t Type) name() string { return t.Package + "." + t.Name }
