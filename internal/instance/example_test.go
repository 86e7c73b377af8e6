package instance_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

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

	db, err := instance.Open(filepath.Join(dir, "db"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	manifest, err := db.Load(ctx, "friends", []string{edges}, instance.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(manifest.Vertices, "vertices,", manifest.Edges, "edges")

	ranks, err := db.Run(ctx, "friends", host.Request{Algorithm: "pagerank"}, host.Events{})
	if err != nil {
		log.Fatal(err)
	}
	defer ranks.Close()
	top, err := ranks.Top(ctx, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, vertex := range top {
		fmt.Printf("%s %.3f\n", vertex.ID, vertex.Value)
	}
	if _, err := ranks.Write(ctx, "rank"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 4 vertices, 4 edges
	// bob 0.333
	// dan 0.320
}

// Run a vertex program of one's own: what the cheapest way from ann costs.
func ExampleDB_Run_custom() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	edges := filepath.Join(dir, "edges.csv")
	if err := os.WriteFile(edges, []byte("source,target,cost\nann,bob,2.5\nbob,cid,1.0\nann,cid,9.0\n"), 0o644); err != nil {
		log.Fatal(err)
	}

	db, err := instance.Open(filepath.Join(dir, "db"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Load(ctx, "ways", []string{edges}, instance.LoadOptions{}); err != nil {
		log.Fatal(err)
	}
	cheapest, err := db.Run(ctx, "ways", host.Request{
		Custom: &algorithms.Custom{
			Init:    "id == source ? 0.0 : inf",
			Process: "src.price + edge.cost",
			Reduce:  "min",
		},
		Params: map[string]string{"source": "ann"},
	}, host.Events{})
	if err != nil {
		log.Fatal(err)
	}
	defer cheapest.Close()
	fmt.Println(cheapest.Columns[0].Name, cheapest.Columns[0].Floats)
	// Output: price [0 2.5 3.5]
}
