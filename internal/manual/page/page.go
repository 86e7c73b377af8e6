package manual

import (
	"fmt"
	"go/doc/comment"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/query/algorithm"
)

// Page is the manual of a catalog, in Markdown.
//
// Errors: one that names an algorithm without a definition.
func Page(catalog algorithms.Catalog, definitions map[string]Definition) (string, error) {
	var page strings.Builder
	page.WriteString(`# Catalog

What each built-in algorithm computes: its definition, complexity and paper as its source has them, its
parameters, what it gives, and how statements call it. This page is made of the code, by
` + "`go run ./internal/manual/write`" + `. [algorithms.md](algorithms.md) tells how they are computed and what that
takes, and [cypher.md](cypher.md#algorithms) how they are called; ` + "`penstock estimate NAME`" + ` says what one
takes of memory on a graph.

| algorithm | what it computes |
| --- | --- |
`)
	for _, a := range catalog {
		fmt.Fprintf(&page, "| [`%s`](#%s) | %s |\n", a.Name, a.Name, cell(a.Summary))
	}
	for _, a := range catalog {
		d, ok := definitions[a.Name]
		if !ok {
			return "", fmt.Errorf("no variable defines %s", a.Name)
		}
		section(&page, a, d)
	}
	return page.String(), nil
}

// section is what is said of one algorithm.
func section(page *strings.Builder, a *algorithms.Algorithm, d Definition) {
	fmt.Fprintf(page, "\n## %s\n\n%s", a.Name, markdown(d.Text))
	kind := "a vertex program"
	if a.Procedure != nil {
		kind = "a procedure"
	}
	fmt.Fprintf(page, "\nIt is %s, in [algorithms/%s](../algorithms/%s), and gives %s.", kind, d.File, d.File, Gives(a))
	if len(a.Aliases) > 0 {
		fmt.Fprintf(page, " It is called %s as well.", quoted(a.Aliases))
	}
	fmt.Fprintf(page, "\nStatements: %s.\n", quoted(statements(a)))
	if len(a.Params) == 0 {
		return
	}
	page.WriteString("\n| parameter | default | what it is |\n| --- | --- | --- |\n")
	for _, p := range a.Params {
		fmt.Fprintf(page, "| `%s` | %s | %s |\n", p.Name, cell(Default(p)), cell(Describe(p)))
	}
}

// statements are the procedures of an algorithm in each mode.
func statements(a *algorithms.Algorithm) (names []string) {
	others, _ := algorithm.Procedures(nil, nil, nil)
	shared := map[string]bool{}
	for _, p := range others {
		shared[p.Name] = true
	}
	all, _ := algorithm.Procedures(nil, algorithms.Catalog{a}, nil)
	for _, p := range all {
		if !shared[p.Name] {
			names = append(names, p.Name)
		}
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
