package learners

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/lda"
)

// mixtures finds the topics of documents by those of their words, which are given.
type mixtures struct {
	Input
	lda.Params
	words      int
	phi, theta []float32
}

func newMixtures(in Input) (Learner, error) {
	c := &mixtures{Input: in, Params: in.topicParams(), words: int(in.Args.Ints["words"])}
	var err error
	if c.phi, err = in.Rows.Require("phi", c.Topics*c.words); err == nil {
		c.theta, err = in.Rows.Require("theta", in.N*c.Topics)
	}
	return c, err
}

func (c *mixtures) EdgeColumns() []string { return c.countColumn() }

// Scratch: of each edge its word and tokens; of each vertex its place and degree on both sides; of each word sums over
// blocks of topics.
func (c *mixtures) Scratch() uint64 {
	return c.graphBytes(8) + 32*uint64(c.N) + uint64(c.words)*uint64(c.Topics/8+16)
}

// Learn finds the topics. Of a document without words, as of all that is none, they are those of the prior.
func (c *mixtures) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	g, err := c.readTokens(chunks, nil)
	if err != nil {
		return 0, err
	}
	if len(g.Right.Vertices) != c.words {
		return 0, plugins.Errorf(plugins.KindInvalid, "edges lead to %d vertices, not to %d", len(g.Right.Vertices), c.words)
	}
	for i := range c.theta {
		c.theta[i] = 1 / float32(c.Topics)
	}
	of := lda.NewTopics(c.Params, c.phi, int(c.Args.Ints["sweeps"]))
	err = eachDocument(ctx, c.workers(), of, g, func(r *lda.Reader, d int, tokens []uint32) {
		v := int(g.Left.Vertices[d])
		r.Mixture(v, tokens, c.theta[v*c.Topics:][:c.Topics])
	})
	tell(plugins.Event{Work: []plugins.Work{{Edges: uint64(len(g.Edges))}}, Fraction: 1})
	return uint64(len(g.Edges)), err
}
