package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// ChooseGraph is the graph that --graph names or, where that is empty, the only one. With create it
// is made if there is none of the name.
func ChooseGraph(ctx context.Context, db *instance.DB, graph string, create bool) (string, error) {
	graphs, err := db.Graphs()
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range graphs {
		if m.Graph == graph {
			return graph, nil
		}
		names = append(names, m.Graph)
	}
	switch {
	case graph != "" && create:
		return graph, db.CreateGraph(ctx, graph)
	case graph != "":
		return graph, nil // opening it fails with the names of the others
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", cli.UsageError{Err: errors.New(
			"there is no graph yet: 'penstock load' brings one in, or --graph NAME --create makes an empty one")}
	}
	return "", cli.UsageError{Err: fmt.Errorf("which graph? give --graph: %s", strings.Join(names, ", "))}
}

// DefaultGraph is the graph of clients that choose none; empty where there are several.
func DefaultGraph(ctx context.Context, db *instance.DB, graph string, create bool) (string, error) {
	graphs, err := db.Graphs()
	if err != nil {
		return "", err
	}
	if graph == "" && !create && len(graphs) > 1 {
		return "", nil
	}
	graph, err = ChooseGraph(ctx, db, graph, create)
	if err != nil {
		return "", err
	}
	_, err = db.Graph(graph)
	return graph, err
}
