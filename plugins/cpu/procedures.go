package cpu

// The procedures that the device runs: each enters itself into the table of package procedures.
import (
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/acyclic"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/betweenness"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/biconnected"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/coloring"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/communities"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/diameter"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/distances"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/fastrp"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/hits"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/kcore"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/ktruss"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/labelpropagation"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/lcc"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/maxflow"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/motifs"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/node2vec"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/richclub"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/scc"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/similarity"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/slpa"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/spanningforest"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/steiner"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/triangles"
	_ "github.com/penstock-db/penstock/plugins/cpu/internal/procedures/walks"
)
