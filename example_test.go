package penstock_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
)

// friends opens a new database and loads a graph into it. close ends its use and removes it.
func friends() (db *penstock.DB, dir string, done func()) {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	edges := filepath.Join(dir, "edges.txt")
	if err := os.WriteFile(edges, []byte("ann bob\ncid bob\nbob dan\ndan ann\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	if db, err = penstock.Open(filepath.Join(dir, "db")); err != nil {
		log.Fatal(err)
	}
	if _, err := db.Load(context.Background(), "friends", []string{edges}, penstock.LoadOptions{}); err != nil {
		log.Fatal(err)
	}
	return db, dir, func() {
		if err := errors.Join(db.Close(), os.RemoveAll(dir)); err != nil {
			log.Fatal(err)
		}
	}
}

// Store a graph, rank its vertices in the CPU plugin's process, and write the ranks back.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	edges := filepath.Join(dir, "edges.txt")
	if err := os.WriteFile(edges, []byte("ann bob\ncid bob\nbob dan\ndan ann\n"), 0o644); err != nil {
		log.Fatal(err)
	}

	db, err := penstock.Open(filepath.Join(dir, "db"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	graph, err := db.Load(ctx, "friends", []string{edges}, penstock.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(graph.Vertices, "vertices,", graph.Edges, "edges")

	ranks, err := db.Run(ctx, "friends", penstock.Request{Algorithm: "pagerank"})
	if err != nil {
		log.Fatal(err)
	}
	defer ranks.Close()
	top, err := ranks.Top(ctx, 0, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, vertex := range top {
		fmt.Printf("%s %.3f\n", vertex.ID, vertex.Value)
	}
	if err := ranks.Write(ctx, "rank"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 4 vertices, 4 edges
	// bob 0.333
	// dan 0.320
}

// Ask with parameters. Values are Go's own, and nodes are of type Node.
func ExampleDB_Query() {
	db, _, done := friends()
	defer done()
	ctx := context.Background()
	if err := db.CreateGraph(ctx, "people"); err != nil {
		log.Fatal(err)
	}
	created, err := db.Query(ctx, "people", "UNWIND $people AS p CREATE (:Person {name: p.name, age: p.age})",
		map[string]any{
			"people": []map[string]any{{"name": "Ann", "age": 31}, {"name": "Bob", "age": 27}},
		})
	if err != nil {
		log.Fatal(err)
	}
	if err := created.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.Summary().NodesCreated, "nodes created")

	rows, err := db.Query(ctx, "people", "MATCH (p:Person) WHERE p.age > $age RETURN p, p.age", map[string]any{"age": 30})
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row := rows.Values()
		fmt.Println(row[0].(penstock.Node).Properties["name"], row[1].(int64))
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 nodes created
	// Ann 31
}

// What several statements change is visible to others at once, or not at all. Who comes second is told so, and tries
// again.
func ExampleDB_Begin() {
	db, _, done := friends()
	defer done()
	ctx := context.Background()
	count := func(tx *penstock.Tx) error {
		rows, err := tx.Query(ctx, "MATCH (n) SET n.visits = coalesce(n.visits, 0) + 1", nil)
		if err != nil {
			return err
		}
		return rows.Close()
	}

	first, err := db.Begin(ctx, "friends", true)
	if err != nil {
		log.Fatal(err)
	}
	defer first.Rollback()
	second, err := db.Begin(ctx, "friends", true)
	if err != nil {
		log.Fatal(err)
	}
	defer second.Rollback()
	if err := errors.Join(count(first), first.Commit(ctx)); err != nil {
		log.Fatal(err)
	}
	err = count(second)
	if err == nil {
		err = second.Commit(ctx)
	}
	fmt.Println("the second may try again:", errors.Is(err, penstock.ErrConflict))
	// Output: the second may try again: true
}

// Follow a run, and end it by its context.
func ExampleDB_Run() {
	db, _, done := friends()
	defer done()
	ranks, err := db.Run(context.Background(), "friends", penstock.Request{
		Algorithm: "pagerank",
		Params:    map[string]string{"iterations": "3", "tolerance": "0"},
		Device:    "cpu", // without it, the CPU or npu, whichever took less time so far
		Progress: func(p penstock.Progress) {
			if p.Iteration > 0 {
				fmt.Println("iteration", p.Iteration)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ranks.Close()
	fmt.Println(ranks.Report.Algorithm, "on", ranks.Report.Device)
	// Output:
	// iteration 1
	// iteration 2
	// iteration 3
	// pagerank on cpu
}

// Run a vertex program of one's own: what the cheapest way from ann costs.
func ExampleDB_Run_custom() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	edges := filepath.Join(dir, "edges.csv")
	if err := os.WriteFile(edges, []byte("source,target,cost\nann,bob,2.5\nbob,cid,1.0\nann,cid,9.0\n"),
		0o644); err != nil {
		log.Fatal(err)
	}
	if _, err := db.Load(ctx, "ways", []string{edges}, penstock.LoadOptions{}); err != nil {
		log.Fatal(err)
	}
	cheapest, err := db.Run(ctx, "ways", penstock.Request{
		Custom: &algorithms.Custom{
			Init:    "id == source ? 0.0 : inf",
			Process: "src.price + edge.cost",
			Reduce:  "min",
		},
		Params: map[string]string{"source": "ann"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer cheapest.Close()
	fmt.Println(cheapest.Columns[0].Name, cheapest.Columns[0].Floats)
	// Output: price [0 2.5 3.5]
}

// What a run has found is a property of the nodes, for statements.
func ExampleResult_Write() {
	ctx := context.Background()
	db, _, done := friends()
	defer done()
	components, err := db.Run(ctx, "friends", penstock.Request{Algorithm: "wcc", Property: "component"})
	if err != nil {
		log.Fatal(err)
	}
	defer components.Close()
	if err := components.Write(ctx, "component"); err != nil {
		log.Fatal(err)
	}
	rows, err := db.Query(ctx, "friends", "MATCH (n) RETURN n.component, count(*)", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		fmt.Println(rows.Values()...)
	}
	// Output: ann 4
}

// Copy a database while it is used, later what is new since then, and make a new database of both.
func ExampleDB_Backup() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	full, later := filepath.Join(dir, "full.backup"), filepath.Join(dir, "later.backup")
	if err := db.Backup(ctx, full, penstock.BackupOptions{}); err != nil {
		log.Fatal(err)
	}
	created, err := db.Query(ctx, "friends", "CREATE ()", nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := created.Close(); err != nil {
		log.Fatal(err)
	}
	if err := db.Backup(ctx, later, penstock.BackupOptions{Since: full}); err != nil {
		log.Fatal(err)
	}

	if err := penstock.Restore(ctx, later, filepath.Join(dir, "restored"), penstock.RestoreOptions{}); err != nil {
		log.Fatal(err)
	}
	restored, err := penstock.Open(filepath.Join(dir, "restored"))
	if err != nil {
		log.Fatal(err)
	}
	defer restored.Close()
	graph, err := restored.Graph(ctx, "friends")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(graph.Vertices, "vertices,", graph.Edges, "edges")
	// Output: 5 vertices, 4 edges
}

// Learn from the ratings that users gave items what they would give others: a vector of each user and of each item.
func ExampleDB_PredictPairs() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	ratings := ":START_ID,:END_ID,rating:double\n"
	for user := range 12 {
		for item := range 8 {
			if (user+item)%4 != 0 || user < 2 { // users of even number like items of even number
				ratings += fmt.Sprintf("user%d,item%d,%d\n", user, item, 5-4*((user+item)%2))
			}
		}
	}
	file := filepath.Join(dir, "ratings.csv")
	if err := os.WriteFile(file, []byte(ratings), 0o644); err != nil {
		log.Fatal(err)
	}
	if _, err := db.Load(ctx, "ratings", []string{file}, penstock.LoadOptions{}); err != nil {
		log.Fatal(err)
	}
	model, err := db.Train(ctx, "ratings", penstock.TrainRequest{Model: "factors", Edges: penstock.EdgeTask{Label: "rating"}, Embedding: 4,
		Settings: map[string]float64{"epochs": 400, "weight_decay": 0.01}, Seed: 1, Save: "tastes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s says %s; in the test it is off by less than 1: %v\n", model.Name, model.Label, model.RMSE["test"] < 1)

	said, err := db.PredictPairs(ctx, "ratings", "tastes", []penstock.Pair{{Source: "user4", Target: "item0"},
		{Source: "user5", Target: "item7"}, {Source: "user5", Target: "item0"}}, penstock.Placement{})
	if err != nil {
		log.Fatal(err)
	}
	for _, rating := range said {
		fmt.Printf("%.0f\n", rating)
	}
	// The same from a statement, of all that user6 has not rated.
	rows, err := db.Query(ctx, "ratings", `MATCH (u {id: 'user6'}), (i) WHERE i.id STARTS WITH 'item'
		AND NOT (u)-->(i) WITH collect([u, i]) AS pairs
		CALL ml.predict.pairs('tastes', pairs) YIELD target, value
		RETURN target.id AS item, round(value) AS rating ORDER BY item`, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		fmt.Println(rows.Values()...)
	}
	// Output:
	// tastes says rating; in the test it is off by less than 1: true
	// 5
	// 5
	// 1
	// item2 5
	// item6 5
}

// Train a graph neural network on a graph, keep the model, and ask it about a vertex that has no class yet.
func ExampleDB_Train() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	if err := db.CreateGraph(ctx, "clubs"); err != nil {
		log.Fatal(err)
	}
	rows, err := db.Query(ctx, "clubs", `UNWIND range(0, 19) AS i
		CREATE (:Person {about: [1.0 * (i % 2), 1.0 - i % 2], club: ['go', 'chess'][i % 2]})
		WITH count(*) AS n MATCH (a), (b) WHERE a.club = b.club AND id(a) <> id(b) CREATE (a)-[:KNOWS]->(b)
		WITH count(*) AS n MATCH (a:Person {club: 'go'}) CREATE (new:Person {about: [0.0, 0.0]}), (a)-[:KNOWS]->(new)`, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		log.Fatal(err)
	}
	model, err := db.Train(ctx, "clubs", penstock.TrainRequest{Model: "sage", Features: "about", Label: "club",
		Settings: map[string]float64{"epochs": 40, "hidden": 8}, Seed: 1, Save: "clubs"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s says %v; of the test %.0f %% are right\n", model.Name, model.Classes, 100*model.Accuracy["test"])

	predictions, err := db.Predict(ctx, "clubs", "clubs", false, penstock.Placement{})
	if err != nil {
		log.Fatal(err)
	}
	defer predictions.Close()
	if err := predictions.WriteFile(ctx, filepath.Join(dir, "said.csv")); err != nil {
		log.Fatal(err)
	}
	if err := predictions.Write(ctx, "guess"); err != nil {
		log.Fatal(err)
	}
	found, err := db.Query(ctx, "clubs", "MATCH (n) WHERE n.club IS NULL RETURN DISTINCT n.guess AS guess", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		fmt.Println("who has no club yet plays", found.Values()[0])
	}
	// Output:
	// clubs says [chess go]; of the test 100 % are right
	// who has no club yet plays go
}

// Learn from samples of two classes which of their features tell them apart, and ask of which class a new one is.
func ExampleDB_Learn() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	for name, samples := range map[string]string{
		"fruits": "1 1:1 3:1\n1 1:1 2:1\n-1 2:1 3:1\n-1 3:1\n", // a class, and features with their values
		"others": "-1 2:2 3:1\n1 1:1\n",
	} {
		file := filepath.Join(dir, name+".svm")
		if err := os.WriteFile(file, []byte(samples), 0o644); err != nil {
			log.Fatal(err)
		}
		if _, err := db.Load(ctx, name, []string{file}, penstock.LoadOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	model, err := db.Learn(ctx, "fruits", penstock.LearnRequest{Model: "lr", Save: "kind",
		Settings: map[string]any{"l2": 0.5, "split": "1,0,0"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s says %v; of those that it has seen %.0f %% are right\n", model.Name, model.Classes,
		100*model.Accuracy["train"])

	predictions, err := db.Predict(ctx, "others", "kind", false, penstock.Placement{})
	if err != nil {
		log.Fatal(err)
	}
	defer predictions.Close()
	if err := predictions.Write(ctx, "said"); err != nil {
		log.Fatal(err)
	}
	found, err := db.Query(ctx, "others", "MATCH (s:Sample) RETURN s.id, s.label, s.said ORDER BY s.id", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		fmt.Println(found.Values()...)
	}
	// Output:
	// kind says [-1 1]; of those that it has seen 100 % are right
	// 1 -1 -1
	// 2 1 1
}

// Find out how a program would learn before it does: what it takes of the device, and what workers exchange.
func ExampleDB_ExplainLearn() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	file := filepath.Join(dir, "fruits.svm")
	if err := os.WriteFile(file, []byte("1 1:1 3:1\n1 1:1 2:1\n-1 2:1 3:1\n-1 3:1\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	if _, err := db.Load(ctx, "fruits", []string{file}, penstock.LoadOptions{}); err != nil {
		log.Fatal(err)
	}
	plan, err := db.ExplainLearn(ctx, "fruits", penstock.LearnRequest{Model: "lr",
		Settings: map[string]any{"workers": 2, "split": "1,0,0"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Model, "on", plan.Device, "has room:", plan.Need < plan.Budget)
	var all struct {
		Epoch uint64 `json:"bytes_an_epoch"`
	}
	if err := json.Unmarshal(plan.JSON, &all); err != nil {
		log.Fatal(err)
	}
	fmt.Println("bytes an epoch, at the most:", all.Epoch)
	// Output:
	// lr on cpu has room: true
	// bytes an epoch, at the most: 56
}

// Load ratings as a bipartite graph, learn from them, and recommend to a user what the user has not rated.
func ExampleDB_Recommend() {
	ctx := context.Background()
	db, dir, done := friends()
	defer done()
	ratings := ""
	for user := range 12 {
		for item := range 8 {
			if (user+item)%3 != 0 || user < 2 { // users of even number like items of even number
				ratings += fmt.Sprintf("%d %d %d\n", user, item, 5-4*((user+item)%2))
			}
		}
	}
	file := filepath.Join(dir, "ratings.txt")
	if err := os.WriteFile(file, []byte(ratings), 0o644); err != nil {
		log.Fatal(err)
	}
	sides := formats.Options{Left: formats.Side{Label: "User"}, Right: formats.Side{Label: "Item"}}
	if _, err := db.Load(ctx, "shop", []string{file}, penstock.LoadOptions{Options: sides}); err != nil {
		log.Fatal(err)
	}
	_, err := db.Train(ctx, "shop", penstock.TrainRequest{Model: "factors", Edges: penstock.EdgeTask{Label: "rating"}, Embedding: 4,
		Settings: map[string]float64{"epochs": 400, "weight_decay": 0.01}, Seed: 1, Save: "tastes"})
	if err != nil {
		log.Fatal(err)
	}
	best, err := db.Recommend(ctx, "shop", "tastes", penstock.RecommendRequest{Top: 1, For: "u.id IN [4, 5]"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range best {
		fmt.Printf("%s: %s, %.0f\n", r.Node, r.Item, r.Score)
	}
	// Output:
	// User:4: Item:2, 5
	// User:5: Item:1, 5
}
