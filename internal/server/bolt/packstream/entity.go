package packstream

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

// entity reads a node, relationship or path, with element ids or without.
func (d *Decoder) entity(tag byte, fields int) value.Value {
	switch {
	case tag == tagNode && (fields == 3 || fields == 4):
		n := &value.NodeContent{ID: uint64(d.int()), Labels: d.labels(), Properties: d.properties()}
		d.skip(fields - 3)
		return value.OfNode(n)
	case tag == tagRelationship && (fields == 5 || fields == 8):
		r := &value.RelationshipContent{
			ID: uint64(d.int()), Start: uint64(d.int()), End: uint64(d.int()), Type: d.string(), Properties: d.properties(),
		}
		d.skip(fields - 5)
		return value.OfRelationship(r)
	case tag == tagPath && fields == 3:
		return d.path()
	}
	return d.wrongFields(tag, fields)
}

func (d *Decoder) labels() []string {
	var labels []string
	for _, v := range d.elements() {
		if v.Kind() != value.String {
			d.fail("a label should be a string, not %s", v.Kind())
			return nil
		}
		labels = append(labels, v.Str())
	}
	slices.Sort(labels)
	return labels
}

func (d *Decoder) properties() []value.Entry {
	v := d.value()
	if v.Kind() != value.Map {
		d.fail("properties should be a map, not %s", v.Kind())
		return nil
	}
	return v.Map()
}

func (d *Decoder) elements() []value.Value {
	v := d.value()
	if v.Kind() != value.List {
		d.fail("a list should be here, not %s", v.Kind())
		return nil
	}
	return v.List()
}

// skip reads element ids, which say nothing new.
func (d *Decoder) skip(strings int) {
	for range strings {
		d.string()
	}
}

// path reads nodes, relationships without ends, and the walk over them.
func (d *Decoder) path() value.Value {
	nodes := d.elements()
	relationships := d.unboundList()
	walk := d.elements()
	if d.err != nil {
		return value.Value{}
	}
	if len(nodes) == 0 || len(walk)%2 != 0 || !allOf(nodes, value.Node) || !allOf(walk, value.Int) {
		return d.fail("a path consists of nodes, and of pairs of a relationship and a node")
	}
	return d.walk(nodes, relationships, walk)
}

// walk follows the steps of a path.
func (d *Decoder) walk(nodes []value.Value, relationships []value.RelationshipContent, walk []value.Value) value.Value {
	p := &value.PathContent{Nodes: []value.Value{nodes[0]}}
	for i := 0; i < len(walk); i += 2 {
		step, to := walk[i].Int(), walk[i+1].Int()
		backwards := step < 0
		if backwards {
			step = -step
		}
		if step < 1 || step > int64(len(relationships)) || to < 0 || to >= int64(len(nodes)) {
			return d.fail("a path goes to a node or by a relationship that it does not have")
		}
		d.charge(structureMemory)
		r := relationships[step-1]
		r.Start, r.End = p.Nodes[i/2].ID(), nodes[to].ID()
		if backwards {
			r.Start, r.End = r.End, r.Start
		}
		p.Nodes = append(p.Nodes, nodes[to])
		p.Relationships = append(p.Relationships, value.OfRelationship(&r))
	}
	return value.OfPath(p)
}

func (d *Decoder) unboundList() []value.RelationshipContent {
	n := d.listLength()
	if !d.claim(n, 1, structureMemory) {
		return nil
	}
	relationships := make([]value.RelationshipContent, 0, n)
	for i := 0; i < n && d.err == nil; i++ {
		relationships = append(relationships, d.unbound())
	}
	return relationships
}

func (d *Decoder) unbound() value.RelationshipContent {
	tag, fields, err := d.Structure()
	if err != nil || tag != tagUnboundRelationship || fields != 3 && fields != 4 {
		d.fail("a path has a relationship that is none")
		return value.RelationshipContent{}
	}
	r := value.RelationshipContent{ID: uint64(d.int()), Type: d.string(), Properties: d.properties()}
	d.skip(fields - 3)
	return r
}

func (d *Decoder) listLength() int {
	switch marker := d.byte(); {
	case marker&0xF0 == tinyList:
		return int(marker & 0x0F)
	case marker >= list8 && marker <= list8+2:
		return d.length(marker - list8)
	default:
		d.fail("a list should be here, not %#x", marker)
		return 0
	}
}

func allOf(values []value.Value, kind value.Kind) bool {
	return !slices.ContainsFunc(values, func(v value.Value) bool { return v.Kind() != kind })
}
