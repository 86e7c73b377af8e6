package compute

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
)

// Algorithms is penstock algorithms.
type Algorithms struct{}

func (*Algorithms) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "algorithms",
		Short: "List what 'penstock run' can compute, with parameters",
		Args:  cobra.NoArgs,
	}
}

func (*Algorithms) Run(_ context.Context, a *app.App, _ []string) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"algorithms": describeAlgorithms()})
	}
	t := terminal.NewTable(a.Out, "algorithm", "parameters", "what it computes")
	for _, algorithm := range algorithms.All() {
		t.AppendRow([]any{algorithm.Name, paramText(algorithm.Params), algorithm.Summary})
	}
	t.Render()
	return nil
}

type algorithmDescription struct {
	Name       string             `json:"name"`
	Summary    string             `json:"summary"`
	Source     string             `json:"source"`
	Parameters []paramDescription `json:"parameters"`
}

type paramDescription struct {
	Name     string `json:"name"`
	Default  string `json:"default,omitempty"`
	Required bool   `json:"required"`
	Doc      string `json:"doc"`
}

func describeAlgorithms() []algorithmDescription {
	var list []algorithmDescription
	for _, algorithm := range algorithms.All() {
		d := algorithmDescription{Name: algorithm.Name, Summary: algorithm.Summary, Source: algorithm.Source}
		for _, p := range algorithm.Params {
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
