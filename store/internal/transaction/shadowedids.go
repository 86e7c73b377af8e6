package transaction

import (
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Before results were refused the name `id`, one could be written under it, and statements then saw it in place of the
// users' ids. Such a graph is made whole when its manifest is read:
//
//  1. The result gets another name, Manifest.Shadowed, and nodes their ids back. On the disk that is so from the next
//     manifest on, which keeps the name as long as there may be commits from before.
//  2. In a commit from before, `id` is a value of the result, and the id of a new node is under the hidden name. Both are
//     renamed as the log is replayed. A new node without a hidden name has its id already: it is from before the result
//     was written, or from after the mending. An older node never changes its id, so what it has is the result.

// mendIDs renames what a commit from before the mending says of ids.
func (g *Graph) mendIDs(c *delta.Changes) {
	b := g.version.Base
	if b.Manifest.Shadowed == "" {
		return
	}
	id, hidden, shadow := b.IDs.Key, g.keys.Token(manifest.HiddenIDProperty), g.keys.Token(b.Manifest.Shadowed)
	for _, n := range c.Nodes {
		_, isHidden := delta.Lookup(n.Properties, hidden)
		if !isHidden && n.ID >= b.Vertices {
			continue
		}
		for i := range n.Properties {
			switch n.Properties[i].Key {
			case id:
				n.Properties[i].Key = shadow
			case hidden:
				n.Properties[i].Key = id
			}
		}
		n.Properties = delta.Sorted(n.Properties)
	}
}
