package bench

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// startKuzu loads g's edges into Kuzu.
func (g *graph) startKuzu(ctx context.Context, o Options) (*kuzu, error) {
	o.step("%s: COPY into Kuzu", g.name)
	command := exec.CommandContext(ctx, o.Kuzu, "-edges", g.file(edgeList), "-vertices", strconv.FormatUint(g.vertices, 10),
		"-db", g.file("kuzu"), "-threads", strconv.Itoa(o.Threads), "-iterations", turns)
	q := &kuzu{}
	if err := q.start(command); err != nil {
		return nil, err
	}
	copied, err := q.answer(ctx)
	g.loading = g.loading.add(sample{way: kuzuCopy, seconds: copied.Seconds, command: strings.ReplaceAll(copied.Query, g.dir, "$GRAPH")})
	return q, err
}
