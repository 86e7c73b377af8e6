package tck

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
)

// state is what of a graph the kit observes side effects by.
type state struct{ nodes, relationships, properties, labels map[string]bool }

// observe walks the whole graph.
func observe(ctx context.Context, db *store.DB, graph string) (s state, err error) {
	s = state{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	tx, err := db.Begin(ctx, graph, store.ReadAccess)
	if err != nil {
		return s, err
	}
	defer tx.Rollback()
	var ids []uint64
	err = tx.Nodes(func(id uint64) bool {
		ids = append(ids, id)
		return true
	})
	for _, id := range ids {
		if err == nil {
			err = s.node(tx, id)
		}
	}
	return s, err
}

func (s state) node(tx *store.Tx, id uint64) error {
	s.nodes[fmt.Sprint(id)] = true
	labels, err := tx.LabelsOf(id, nil)
	if err != nil {
		return err
	}
	for _, label := range labels {
		s.labels[tx.LabelName(label)] = true
	}
	err = tx.NodeProperties(id, func(key store.Token, v value.Value) bool {
		s.properties[fmt.Sprintf("node %d %s %s", id, tx.KeyName(key), canonical(v, false))] = true
		return true
	})
	if err != nil {
		return err
	}
	var out []uint64
	err = tx.Expand(id, store.Out, nil, func(rel, _ uint64) bool {
		out = append(out, rel)
		return true
	})
	for _, rel := range out {
		if err == nil {
			err = s.relationship(tx, rel)
		}
	}
	return err
}

func (s state) relationship(tx *store.Tx, id uint64) error {
	s.relationships[fmt.Sprint(id)] = true
	return tx.RelationshipProperties(id, func(key store.Token, v value.Value) bool {
		s.properties[fmt.Sprintf("relationship %d %s %s", id, tx.KeyName(key), canonical(v, false))] = true
		return true
	})
}

// effects counts what is there now and was not, and the other way round.
func effects(before, now state) map[string]int {
	counts := map[string]int{}
	count := func(what string, before, now map[string]bool) {
		for x := range now {
			if !before[x] {
				counts["+"+what]++
			}
		}
		for x := range before {
			if !now[x] {
				counts["-"+what]++
			}
		}
	}
	count("nodes", before.nodes, now.nodes)
	count("relationships", before.relationships, now.relationships)
	count("properties", before.properties, now.properties)
	count("labels", before.labels, now.labels)
	return counts
}
