package store

import (
	"errors"

	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/proof"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// openCatalog opens the catalog and SYNCED of the database at dir, or makes them for one of format 1, whose graphs the
// tree alone names.
func openCatalog(
	dir string, b *tree.Badger, found *proof.Proof, format int, graphs func() ([]*manifest.Manifest, error),
) (c *catalog.Catalog, err error) {
	if format == 1 {
		return upgradeFormat(dir, b, found, graphs)
	}
	if found.Pending {
		c, err = catalog.Create(directory.Catalog(dir), found.Catalog.Before)
	} else {
		c, err = catalog.Open(directory.Catalog(dir), found.Catalog)
	}
	if err != nil {
		return c, err
	}
	return c, b.OpenSequence(dir, found.Sequence, found.Synced)
}

// upgradeFormat makes a database of format 1 one of the newest.
func upgradeFormat(
	dir string, b *tree.Badger, found *proof.Proof, graphs func() ([]*manifest.Manifest, error),
) (*catalog.Catalog, error) {
	manifests, err := graphs()
	if err != nil {
		return nil, err
	}
	cataloged, err := catalogedGraphs(manifests)
	if err != nil {
		return nil, err
	}
	c, err := catalog.Create(directory.Catalog(dir), cataloged)
	if err != nil {
		return c, err
	}
	if err := errors.Join(tree.MakeSynced(dir), directory.WriteFormat(dir)); err != nil {
		return c, err
	}
	return c, b.OpenSequence(dir, found.Sequence, found.Sequence)
}

// catalogedGraphs are graphs as the catalog has them.
func catalogedGraphs(manifests []*manifest.Manifest) (map[string]catalog.Graph, error) {
	graphs := map[string]catalog.Graph{}
	for _, m := range manifests {
		text, err := manifest.Encode(m)
		if err != nil {
			return nil, err
		}
		graphs[m.Graph] = catalog.Graph{Name: m.Graph, Snapshot: m.ID, Manifest: text}
	}
	return graphs, nil
}
