package drivertest

import "testing"

// TestLearners trains models of a bipartite graph over Bolt, keeps them, and asks them.
func TestLearners(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	for _, text := range []string{
		// users of even number like items of even number
		`UNWIND range(0, 11) AS u CREATE (:User {id: 'u' + u, n: u})`,
		`UNWIND range(0, 7) AS i CREATE (:Item {id: 'i' + i, n: i})`,
		`MATCH (u:User), (i:Item) WHERE (u.n + i.n) % 3 <> 0 OR u.n < 2
			CREATE (u)-[:RATED {rating: 5.0 - 4 * ((u.n + i.n) % 2)}]->(i)`,
	} {
		if _, err := s.Run(t.Context(), text, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, each := range []struct {
		text string
		want any
	}{
		{`CALL ml.train('mf', {rank: 4, epochs: 200, l2: 0.1, split: '1,0,0', save: 'tastes'}) YIELD model RETURN model`, "tastes"},
		{`MATCH (u {id: 'u4'}) WITH collect(u) AS users CALL ml.recommend('tastes', {nodes: users, top: 1}) YIELD item
			RETURN item.id`, "i2"},
		{`MATCH (u {id: 'u5'}), (i) WHERE i.id IN ['i1', 'i4'] WITH collect([u, i]) AS pairs
			CALL ml.predict.pairs('tastes', pairs) YIELD target, value WITH target, value ORDER BY target.id
			RETURN collect(toInteger(round(value)))`, []any{int64(5), int64(1)}},
	} {
		got, err := single(t.Context(), s, each.text, nil)
		if err != nil || !same(got, each.want) {
			t.Errorf("%s: %v, %v; want %v", each.text, got, err, each.want)
		}
	}
	if _, err := s.Run(t.Context(), `MATCH (u:User) SET u.odd = u.n % 2`, nil); err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"lr", "blockpg"} {
		got, err := single(t.Context(), s, `CALL ml.train('`+model+`', {label: 'odd', value: 'rating', split: '1,0,0', save: 'odd', replace: true})
			YIELD trainScore RETURN trainScore`, nil)
		if err != nil || got != 1.0 {
			t.Errorf("%s: %v, %v; want that all users are told apart", model, got, err)
		}
		got, err = single(t.Context(), s, `CALL ml.predict('odd') YIELD node, class WITH node, class WHERE node:User
			RETURN count(CASE WHEN class = node.odd THEN 1 END)`, nil)
		if err != nil || got != int64(12) {
			t.Errorf("%s says the class of %v users of 12: %v", model, got, err)
		}
		got, err = single(t.Context(), s, `CALL ml.predict('odd', {embedding: true}) YIELD node, vector
			RETURN collect(DISTINCT [labels(node)[0], size(vector)])`, nil)
		if err != nil || !same(got, []any{[]any{"Item", int64(1)}}) {
			t.Errorf("%s has weights of %v: %v", model, got, err)
		}
	}
	fails(t, s, "Neo.ClientError.Statement.ArgumentError", "CALL ml.train('mf', {rank: 0})")
}
