package page

import (
	"fmt"
	"go/doc/comment"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/manual"
	"github.com/penstock-db/penstock/internal/query/algorithm"
)

// Of is the page of a catalog, in Markdown.
//
// Errors: one that names an algorithm without a definition.
func Of(catalog algorithms.Catalog, definitions map[string]Definition) (string, error) {
	var text strings.Builder
	text.WriteString(`# Catalog

What each built-in algorithm computes: its definition, complexity and paper as its source has them, its
parameters, what it gives, and how statements call it. This page is made of the code, by
` + "`go run ./internal/manual/write`" + `. [algorithms.md](algorithms.md) tells how they are computed and what that
takes, and [cypher.md](cypher.md#algorithms) how they are called; ` + "`penstock estimate NAME`" + ` says what one
takes of memory on a graph.

| algorithm | what it computes |
| --- | --- |
`)
	for _, a := range catalog {
		fmt.Fprintf(&text, "| [`%s`](#%s) | %s |\n", a.Name, a.Name, cell(a.Summary))
	}
	shared := statements(nil)
	for _, a := range catalog {
		d, ok := definitions[a.Name]
		if !ok {
			return "", fmt.Errorf("no variable defines %s", a.Name)
		}
		section(&text, a, d, shared)
	}
	return text.String(), nil
}

// section is what is said of one algorithm. Statements that are shared are no algorithm's.
func section(text *strings.Builder, a *algorithms.Algorithm, d Definition, shared []string) {
	fmt.Fprintf(text, "\n## %s\n\n%s", a.Name, markdown(d.Text))
	kind := "a vertex program"
	if a.Procedure != nil {
		kind = "a procedure"
	}
	fmt.Fprintf(text, "\nIt is %s, in [algorithms/%s](../algorithms/%s), and gives %s.", kind, d.File, d.File, manual.Gives(a))
	if len(a.Aliases) > 0 {
		fmt.Fprintf(text, " It is called %s as well.", quoted(a.Aliases))
	}
	own := slices.DeleteFunc(statements(algorithms.Catalog{a}), func(s string) bool { return slices.Contains(shared, s) })
	fmt.Fprintf(text, "\nStatements: %s.\n", quoted(own))
	if len(a.Params) == 0 {
		return
	}
	text.WriteString("\n| parameter | default | what it is |\n| --- | --- | --- |\n")
	for _, p := range a.Params {
		fmt.Fprintf(text, "| `%s` | %s | %s |\n", p.Name, cell(manual.Default(p)), cell(manual.Describe(p)))
	}
}

// statements are the names of all procedures where there is such a catalog.
func statements(catalog algorithms.Catalog) (names []string) {
	all, _ := algorithm.Procedures(nil, catalog, nil)
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}

// markdown is a Go comment as Markdown. What is between backticks, which mean nothing in Go's comments, is code.
func markdown(text string) string {
	var p comment.Parser
	parts := strings.Split(string((&comment.Printer{}).Markdown(p.Parse(text))), "\\`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = strings.ReplaceAll(parts[i], `\`, "")
	}
	return strings.Join(parts, "`")
}

// cell is a text in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func quoted(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
