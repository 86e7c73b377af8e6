package query

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/store"
)

// What SHOW INDEXES and SHOW CONSTRAINTS tell, as Neo4j 5 does without YIELD. An id is the row's number.
var (
	indexColumns = []string{"id", "name", "state", "populationPercent", "type", "entityType", "labelsOrTypes", "properties",
		"indexProvider", "owningConstraint", "lastRead", "readCount"}
	constraintColumns = []string{"id", "name", "type", "entityType", "labelsOrTypes", "properties", "ownedIndex",
		"propertyType"}
)

// show has a row for each index, or constraint.
func (r *Result) show(tx *store.Tx) *Result {
	if r.s.tree.Schema.What == ast.RangeIndex {
		r.columns, r.batch.rows = indexColumns, indexRows(tx.Indexes(), tx.Constraints())
	} else {
		r.columns, r.batch.rows = constraintColumns, constraintRows(tx.Constraints(), tx.Indexes())
	}
	close(r.batches)
	r.end(nil)
	return r
}

// indexRows tell of indexes. A constraint owns the one of its name. Nobody counts how often they are read.
func indexRows(indexes []store.Index, constraints []store.Constraint) (rows [][]value.Value) {
	owned := map[string]bool{}
	for _, c := range constraints {
		owned[c.Name] = true
	}
	for at, i := range indexes {
		rows = append(rows, []value.Value{value.OfInt(int64(at) + 1), value.OfString(i.Name), value.OfString("ONLINE"),
			value.OfFloat(100), value.OfString("RANGE"), entityType(i.OnRelationship), labelsOf(i.Label),
			listOf([]string{i.Key}), value.OfString("range-1.0"), ifThere(owned, i.Name), {}, {}})
	}
	return rows
}

// constraintRows tell of constraints, none of which says what type a property has.
func constraintRows(constraints []store.Constraint, indexes []store.Index) (rows [][]value.Value) {
	indexed := map[string]bool{}
	for _, i := range indexes {
		indexed[i.Name] = true
	}
	for at, c := range constraints {
		rows = append(rows, []value.Value{value.OfInt(int64(at) + 1), value.OfString(c.Name), constraintType(c),
			entityType(c.OnRelationship), labelsOf(c.Label), listOf(c.Keys), ifThere(indexed, c.Name), {}})
	}
	return rows
}

func constraintType(c store.Constraint) value.Value {
	kind := map[store.ConstraintKind]string{store.Unique: "UNIQUENESS", store.Exists: "PROPERTY_EXISTENCE",
		store.NodeKey: "KEY"}[c.Kind]
	if c.Kind == store.Unique && !c.OnRelationship { // as Neo4j has it
		return value.OfString(kind)
	}
	return value.OfString(entityType(c.OnRelationship).Str() + "_" + kind)
}

func entityType(onRelationship bool) value.Value {
	if onRelationship {
		return value.OfString("RELATIONSHIP")
	}
	return value.OfString("NODE")
}

func labelsOf(label string) value.Value {
	if label == "" {
		return listOf(nil)
	}
	return listOf([]string{label})
}

// ifThere is a name, or null where it is not among names.
func ifThere(names map[string]bool, name string) value.Value {
	if !names[name] {
		return value.Value{}
	}
	return value.OfString(name)
}

func listOf(texts []string) value.Value {
	elements := make([]value.Value, len(texts))
	for i, s := range texts {
		elements[i] = value.OfString(s)
	}
	return value.OfList(elements)
}
