package graphs

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Info is penstock info.
type Info struct{}

func (*Info) Describe() *cobra.Command {
	return &cobra.Command{
		Use:               "info GRAPH",
		Short:             "Describe a graph: counts, properties, chunks",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: app.CompleteGraph,
	}
}

func (*Info) Run(ctx context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		manifest, err := db.Graph(args[0])
		if err != nil {
			return err
		}
		size, err := db.Size(ctx, args[0])
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(description{manifest, size})
		}
		describe(a.Out, manifest, size)
		return nil
	})
}

// description is a manifest in JSON, with counts of the graph as it is now.
type description struct {
	*store.Manifest
	Size store.Size `json:"size"`
}

func describe(w io.Writer, m *store.Manifest, size store.Size) {
	t := terminal.NewTable(w)
	row := func(name string, value any) { t.AppendRow(table.Row{name, value}) }
	row("graph", m.Graph)
	row("snapshot", fmt.Sprintf("%d, of %s", m.ID, m.Created.Format(time.RFC3339)))
	row("direction", directedText(m.Directed))
	row("vertices", terminal.Count(size.Vertices))
	row("edges", terminal.Count(size.Edges))
	if size.Changes > 0 {
		row(
			"changes", unfoldedText(
				size)+", since the snapshot; what follows is without them ('penstock compact' folds them in)")
	}
	row("ids", m.IDs.Kind)
	row("order", m.Order)
	row("locality", m.Order.Effect())
	row("labels", orNone(strings.Join(m.Labels, ", ")))
	row("edge types", orNone(strings.Join(m.Types, ", ")))
	row("node properties", propertyText(m.NodeProperties))
	row("edge properties", propertyText(m.EdgeProperties))
	if m.Directed {
		row("out-chunks", chunkText(m.Chunks(chunk.Out)))
		row("in-chunks", chunkText(m.Chunks(chunk.In)))
	} else {
		row("chunks", chunkText(m.Chunks(chunk.Both)))
	}
	t.Render()
}

func propertyText(properties []store.Property) string {
	texts := make([]string, len(properties))
	for i, p := range properties {
		texts[i] = p.Name + " " + p.Type
		if p.Provenance != nil {
			texts[i] += fmt.Sprintf(" (%s on snapshot %d)", p.Provenance.Algorithm, p.Provenance.Snapshot)
		}
	}
	return orNone(strings.Join(texts, ", "))
}

func chunkText(chunks []store.ChunkInfo) string {
	var bytes, entries uint64
	for _, c := range chunks {
		bytes += uint64(c.Bytes)
		entries += c.Edges
	}
	return fmt.Sprintf("%d, %s list entries, %s", len(chunks), terminal.Count(entries), terminal.Bytes(bytes))
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
