package instance

import (
	"context"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/store"
)

// OpenPairs opens a file of pairs of vertices of a graph. Of a bipartite graph it has the ids that the graph's own file
// has: 1 for User:1.
//
// Errors: as of Load.
func OpenPairs(ctx context.Context, db *DB, graph, file string) (formats.Source, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	var opts formats.Options
	if sides := sidesOf(snapshot.Manifest()); sides != nil {
		opts.Left.Label, opts.Right.Label = sides[0], sides[1]
	}
	return importer.Open(ctx, []string{file}, opts)
}

// sidesOf are the labels of a bipartite graph, that of vertices that edges lead from first: it is directed, has ids
// that are texts, and each vertex has one of two labels. Nil: it is none.
func sidesOf(m *store.Manifest) []string {
	sets := slices.DeleteFunc(slices.Clone(m.LabelSets.Sets), func(set string) bool { return set == "" })
	if !m.Directed || m.IDs.Kind != store.StringIDs || len(m.Labels) != 2 || len(sets) != 2 {
		return nil
	}
	return m.Labels
}

// unprefixed is an id that a file of pairs gives with its label, which reading as of a bipartite graph gives once more.
func unprefixed(id string) string {
	label, rest, found := strings.Cut(id, ":")
	if found && strings.HasPrefix(rest, label+":") {
		return rest
	}
	return id
}
