package main

import (
	"path/filepath"
	"testing"
)

// TestPublishedCounts loads real graphs and compares with the counts their publishers give.
func TestPublishedCounts(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	for _, graph := range []struct {
		name            string
		files           []string
		flags           []string
		vertices, edges float64
	}{
		{"wiki-vote", []string{"wiki-Vote/wiki-Vote.txt"}, nil, 7115, 103689},
		{"facebook", []string{"facebook_combined/facebook_combined.txt"}, []string{"--undirected"}, 4039, 88234},
		{"cnr-2000", []string{"cnr-2000/cnr-2000.graph-txt.gz"}, nil, 325557, 3216152},
		{"road-ny", []string{"road-dimacs9/NY.gr.txt.gz"}, nil, 264346, 365050},
		{"bitcoin-otc", []string{"soc-sign-bitcoin-otc/edges.csv.gz"}, []string{"--columns", "rating,time"}, 5881, 35592},
		{"air-routes", []string{"air-routes/air-routes-latest-nodes.csv.gz", "air-routes/air-routes-latest-edges.csv.gz"},
			nil, 3749, 57645},
	} {
		t.Run(graph.name, func(t *testing.T) {
			args := []string{"load", "--db", db, graph.name}
			for _, file := range graph.files {
				args = append(args, sharedData(t, filepath.FromSlash(file)))
			}
			info := objectOf(t, append(args, graph.flags...)...)
			if info["vertices"] != graph.vertices || info["edges"] != graph.edges {
				t.Errorf("%v vertices, %v edges; published: %v, %v", info["vertices"], info["edges"], graph.vertices, graph.edges)
			}
			outputOf(t, "verify", "--db", db, graph.name)
		})
	}
}

// TestPublishedComponents compares with what SNAP (wiki-Vote, p2p-Gnutella31) and LAW
// (cnr-2000) publish of the largest strongly connected component.
func TestPublishedComponents(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	for _, graph := range []struct {
		name, file string
		largest    float64
	}{
		{"wiki-vote", "wiki-Vote/wiki-Vote.txt", 1300},
		{"cnr-2000", "cnr-2000/cnr-2000.graph-txt.gz", 112023},
		{"p2p-31", "p2p-31-graphalytics/p2p-31.e.gz", 14149},
	} {
		t.Run(graph.name, func(t *testing.T) {
			outputOf(t, "load", "--db", db, graph.name, sharedData(t, filepath.FromSlash(graph.file)))
			figures := objectOf(t, "run", "--db", db, "--graph", graph.name, "scc")["figures"].(map[string]any)
			if figures["largest component"] != graph.largest {
				t.Errorf("the largest has %v vertices; published: %v", figures["largest component"], graph.largest)
			}
		})
	}
}

// TestPublishedCore: the degeneracy of ego-Facebook, 115, is in many papers.
func TestPublishedCore(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	outputOf(t, "load", "--db", db, "facebook", "--undirected",
		sharedData(t, "facebook_combined", "facebook_combined.txt"))
	figures := objectOf(t, "run", "--db", db, "--graph", "facebook", "k-core")["figures"].(map[string]any)
	if figures["largest core number"] != 115.0 {
		t.Errorf("the largest core number is %v; published: 115", figures["largest core number"])
	}
}
