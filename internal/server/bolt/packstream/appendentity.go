package packstream

import (
	"strconv"

	"github.com/penstock-db/penstock/formats/value"
)

func (d Dialect) appendEntity(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Node:
		return d.appendNode(dst, v.Node())
	case value.Relationship:
		return d.appendRelationship(dst, v.Relationship())
	default:
		return d.appendPath(dst, v.Path())
	}
}

func (d Dialect) appendNode(dst []byte, n *value.NodeContent) []byte {
	dst = appendHeader(dst, tagNode, d.entityFields(3, 1))
	dst = appendInt(dst, int64(n.ID))
	dst = appendLength(dst, len(n.Labels), tinyList, list8)
	for _, label := range n.Labels {
		dst = appendString(dst, label)
	}
	return d.appendElementIDs(d.appendMap(dst, n.Properties), n.ID)
}

func (d Dialect) appendRelationship(dst []byte, r *value.RelationshipContent) []byte {
	dst = appendHeader(dst, tagRelationship, d.entityFields(5, 3))
	dst = appendInt(dst, int64(r.ID))
	dst = appendInt(dst, int64(r.Start))
	dst = appendInt(dst, int64(r.End))
	dst = d.appendMap(appendString(dst, r.Type), r.Properties)
	return d.appendElementIDs(dst, r.ID, r.Start, r.End)
}

// appendUnbound appends a relationship of a path, whose ends the path tells.
func (d Dialect) appendUnbound(dst []byte, r *value.RelationshipContent) []byte {
	dst = appendHeader(dst, tagUnboundRelationship, d.entityFields(3, 1))
	dst = appendInt(dst, int64(r.ID))
	return d.appendElementIDs(d.appendMap(appendString(dst, r.Type), r.Properties), r.ID)
}

func (d Dialect) entityFields(always, elementIDs int) int {
	if d.ElementIDs {
		return always + elementIDs
	}
	return always
}

func (d Dialect) appendElementIDs(dst []byte, ids ...uint64) []byte {
	if !d.ElementIDs {
		return dst
	}
	for _, id := range ids {
		dst = appendString(dst, ElementID(id))
	}
	return dst
}

// ElementID is an id of a node or relationship as newer clients have it.
func ElementID(id uint64) string { return strconv.FormatUint(id, 10) }

// appendPath appends the nodes of a path and its relationships, each once, and then the walk:
// by turns a relationship, counted from 1 and negative if it is walked backwards, and a node.
func (d Dialect) appendPath(dst []byte, p *value.PathContent) []byte {
	nodes, nodeAt := distinct(p.Nodes)
	relationships, relationshipAt := distinct(p.Relationships)
	dst = d.appendList(appendHeader(dst, tagPath, 3), nodes)
	dst = appendLength(dst, len(relationships), tinyList, list8)
	for _, r := range relationships {
		dst = d.appendUnbound(dst, r.Relationship())
	}
	dst = appendLength(dst, 2*len(p.Relationships), tinyList, list8)
	for i, r := range p.Relationships {
		step := int64(relationshipAt[r.ID()] + 1)
		if r.Relationship().Start != p.Nodes[i].ID() {
			step = -step
		}
		dst = appendInt(appendInt(dst, step), int64(nodeAt[p.Nodes[i+1].ID()]))
	}
	return dst
}

// distinct is the entities, each once, and at which place by id.
func distinct(entities []value.Value) (once []value.Value, at map[uint64]int) {
	at = make(map[uint64]int, len(entities))
	for _, e := range entities {
		if _, seen := at[e.ID()]; !seen {
			at[e.ID()] = len(once)
			once = append(once, e)
		}
	}
	return once, at
}
