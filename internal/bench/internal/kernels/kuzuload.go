package kernels

import (
	"context"
	"os/exec"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// startKuzu loads g's edges into Kuzu.
func startKuzu(ctx context.Context, g *graphs.Graph, o measure.Options) (*programs.Kuzu, error) {
	o.Step("%s: COPY into Kuzu", g.Name)
	command := exec.CommandContext(ctx, o.Kuzu, "-edges", g.File(graphs.EdgeList), "-vertices",
		strconv.FormatUint(g.Vertices, 10),
		"-db", g.File("kuzu"), "-threads", strconv.Itoa(o.Threads), "-iterations", kernel.Turns)
	q := &programs.Kuzu{}
	if err := q.Start(command); err != nil {
		return nil, err
	}
	copied, err := q.Answer(ctx)
	g.Loading = g.Loading.Add(measure.Sample{Way: measure.KuzuCopy, Seconds: copied.Seconds,
		Command: strings.ReplaceAll(copied.Query, g.Dir, "$GRAPH")})
	return q, err
}
