package compute

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/registry"
)

// Algorithms is penstock algorithms.
type Algorithms struct{}

func (*Algorithms) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "algorithms",
		Short: "List what 'penstock run' can compute, with parameters: what is built in, and what installed plugins bring",
		Args:  cobra.NoArgs,
	}
}

func (*Algorithms) Run(_ context.Context, a *app.App, _ []string) error {
	catalog, err := known()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"algorithms": describeAlgorithms(catalog)})
	}
	t := terminal.NewTable(a.Out, "algorithm", "parameters", "what it computes")
	for _, e := range catalog {
		summary := e.algorithm.Summary
		if e.plugin != "" {
			summary += " (plugin " + e.plugin + ")"
		}
		t.AppendRow([]any{e.algorithm.Name, paramText(e.algorithm.Params), summary})
	}
	t.Render()
	return nil
}

// entry is an algorithm that can be run.
type entry struct {
	algorithm *algorithms.Algorithm
	plugin    string // that brings it along; empty: it is built in
}

// known are all algorithms.
func known() (all []entry, err error) {
	for _, a := range algorithms.All() {
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
	Name     string `json:"name"`
	Default  string `json:"default,omitempty"`
	Required bool   `json:"required"`
	Doc      string `json:"doc"`
}

func describeAlgorithms(catalog []entry) []algorithmDescription {
	var list []algorithmDescription
	for _, e := range catalog {
		a := e.algorithm
		d := algorithmDescription{Name: a.Name, Summary: a.Summary, Source: a.Source, Plugin: e.plugin}
		for _, p := range a.Params {
			d.Parameters = append(d.Parameters, paramDescription{p.Name, p.Default, required(p), p.Doc})
		}
		list = append(list, d)
	}
	return list
}

func required(p algorithms.Param) bool { return p.Default == "" && !p.Optional }

// paramText shows parameters as one types them: source, damping=0.85, [weight].
func paramText(params []algorithms.Param) string {
	texts := make([]string, len(params))
	for i, p := range params {
		switch {
		case required(p):
			texts[i] = p.Name
		case p.Default != "":
			texts[i] = p.Name + "=" + p.Default
		default:
			texts[i] = "[" + p.Name + "]"
		}
	}
	return strings.Join(texts, " ")
}
