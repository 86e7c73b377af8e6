package compute

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/manual"
	"github.com/penstock-db/penstock/internal/registry"
)

// Algorithms is penstock algorithms.
type Algorithms struct{}

func (*Algorithms) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "algorithms [NAME]",
		Short: "List what 'penstock run' can compute: what is built in, and what installed plugins bring",
		Long: `List what 'penstock run' can compute: what is built in, and what installed plugins bring.
With the NAME of one, show its parameters and what it gives.`,
		Example: `  penstock algorithms
  penstock algorithms pagerank`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeAlgorithm,
	}
}

func (*Algorithms) Run(_ context.Context, a *app.App, args []string) error {
	catalog, err := known()
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if catalog, err = named(catalog, args[0]); err != nil {
			return err
		}
	}
	switch {
	case a.JSON:
		return a.PrintJSON(map[string]any{"algorithms": describeAlgorithms(catalog)})
	case len(args) > 0:
		return printAlgorithm(a.Out, catalog[0])
	}
	t := terminal.NewTable(a.Out, "algorithm", "what it computes")
	for _, e := range catalog {
		t.AppendRow([]any{e.algorithm.Name, e.summary()})
	}
	t.Render()
	return nil
}

// named is the one algorithm that is called so. It fails with an *algorithms.UnknownAlgorithmError.
func named(catalog []entry, name string) ([]entry, error) {
	var all algorithms.Catalog
	for _, e := range catalog {
		all = append(all, e.algorithm)
	}
	found, err := all.Lookup(name)
	return slices.DeleteFunc(catalog, func(e entry) bool { return e.algorithm != found }), err
}

// printAlgorithm shows what one takes and gives.
func printAlgorithm(w io.Writer, e entry) error {
	a := e.algorithm
	names := strings.Join(append([]string{a.Name}, a.Aliases...), ", ")
	if _, err := fmt.Fprintf(w, "%s: %s\nsource: %s\ngives: %s\n", names, e.summary(), a.Source,
		manual.Gives(a)); err != nil {
		return err
	}
	if len(a.Params) == 0 {
		return nil
	}
	t := terminal.NewTable(w, "parameter", "default", "what it is")
	for _, p := range a.Params {
		t.AppendRow([]any{p.Name, manual.Default(p), manual.Describe(p)})
	}
	_, err := fmt.Fprintln(w)
	t.Render()
	return err
}

// entry is an algorithm that can be run.
type entry struct {
	algorithm *algorithms.Algorithm
	plugin    string // that brings it along; empty: it is built in
}

// summary tells what it computes, and which plugin brings it along.
func (e entry) summary() string {
	if e.plugin == "" {
		return e.algorithm.Summary
	}
	return e.algorithm.Summary + " (plugin " + e.plugin + ")"
}

// known are all algorithms.
func known() (all []entry, err error) {
	for _, a := range catalog.All() {
		all = append(all, entry{algorithm: a})
	}
	installed, err := registry.Open("")
	if err != nil {
		return nil, err
	}
	provided, err := installed.Algorithms()
	for _, p := range provided {
		all = append(all, entry{p.Algorithm, p.Plugin})
	}
	return all, err
}

type algorithmDescription struct {
	Name       string             `json:"name"`
	Summary    string             `json:"summary"`
	Source     string             `json:"source"`
	Plugin     string             `json:"plugin,omitempty"` // that brings it along
	Parameters []paramDescription `json:"parameters"`
}

type paramDescription struct {
	Name     string   `json:"name"`
	Default  string   `json:"default,omitempty"`
	Required bool     `json:"required"`
	Choices  []string `json:"choices,omitempty"`
	Doc      string   `json:"doc"`
}

func describeAlgorithms(catalog []entry) []algorithmDescription {
	var list []algorithmDescription
	for _, e := range catalog {
		a := e.algorithm
		d := algorithmDescription{Name: a.Name, Summary: a.Summary, Source: a.Source, Plugin: e.plugin}
		for _, p := range a.Params {
			d.Parameters = append(d.Parameters, paramDescription{p.Name, p.Default, manual.Required(p), p.Choices, p.Doc})
		}
		list = append(list, d)
	}
	return list
}
