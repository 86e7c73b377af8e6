package query

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

// SHOW INDEXES and SHOW CONSTRAINTS have the columns of Neo4j 5, and tell which index is a constraint's.
func TestShow_Schema(t *testing.T) {
	run := engine(t).on("g")
	for _, statement := range []string{
		"CREATE INDEX i FOR (n:A) ON (n.x)",
		"CREATE CONSTRAINT u FOR (n:A) REQUIRE n.y IS UNIQUE",
		"CREATE CONSTRAINT e FOR (n:A) REQUIRE n.z IS NOT NULL",
		"CREATE CONSTRAINT r FOR ()-[r:R]-() REQUIRE r.x IS NOT NULL",
		"CREATE CONSTRAINT k FOR (n:B) REQUIRE (n.x, n.y) IS NODE KEY",
	} {
		run.rows(t, statement)
	}
	for statement, want := range map[string][]string{
		"SHOW INDEXES": {
			"['id', 'name', 'state', 'populationPercent', 'type', 'entityType', 'labelsOrTypes', 'properties', 'indexProvider', 'owningConstraint', 'lastRead', 'readCount']",
			"[1, 'i', 'ONLINE', 100.0, 'RANGE', 'NODE', ['A'], ['x'], 'range-1.0', null, null, null]",
			"[2, 'u', 'ONLINE', 100.0, 'RANGE', 'NODE', ['A'], ['y'], 'range-1.0', 'u', null, null]",
			"[3, 'k', 'ONLINE', 100.0, 'RANGE', 'NODE', ['B'], ['x'], 'range-1.0', 'k', null, null]",
		},
		"SHOW CONSTRAINTS": {
			"['id', 'name', 'type', 'entityType', 'labelsOrTypes', 'properties', 'ownedIndex', 'propertyType']",
			"[1, 'u', 'UNIQUENESS', 'NODE', ['A'], ['y'], 'u', null]",
			"[2, 'e', 'NODE_PROPERTY_EXISTENCE', 'NODE', ['A'], ['z'], null, null]",
			"[3, 'r', 'RELATIONSHIP_PROPERTY_EXISTENCE', 'RELATIONSHIP', ['R'], ['x'], null, null]",
			"[4, 'k', 'NODE_KEY', 'NODE', ['B'], ['x', 'y'], 'k', null]",
		},
	} {
		result, err := run(t.Context(), statement, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{listOf(result.Columns()).Text()}
		for result.Next() {
			got = append(got, value.OfList(result.Row()).Text())
		}
		if err := result.Close(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", statement, got, want)
		}
	}
}
