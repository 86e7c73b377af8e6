package learners

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/lda"
)

// topics learns topics from documents, edges of which lead to their words, and says how well they foretell documents
// that are held out.
type topics struct {
	Input
	lda.Params
	words int
	part  []float32 // of documents: 1, it is learned from; 2 and 3, it is held out, for validation or the test
	phi   []float32 // of words
	held  []float32 // of validation and test, what follows
	running[int64, int32, lda.Tokens]
}

// What is said of documents that are held out: the means of −log p of half of their tokens, by topics and by words'
// frequency alone, and how many tokens these are.
const (
	heldLoss = iota
	heldUnigram
	heldTokens
	heldWidth
)

const (
	trainPart = 1
	heldParts = 2 // that follow it
)

func newTopics(in Input) (Learner, error) {
	c := &topics{Input: in, Params: in.topicParams(), words: int(in.Args.Ints["words"])}
	var err error
	if c.part, err = in.Rows.Require("part", in.N); err == nil {
		c.phi, err = in.Rows.Require("phi", c.Topics*c.words)
	}
	if err == nil {
		c.held, err = in.Rows.Require("held", heldParts*heldWidth)
	}
	return c, err
}

func (in Input) topicParams() lda.Params {
	return lda.Params{Topics: int(in.Args.Ints["topics"]), Alpha: in.Args.Floats["alpha"], Beta: in.Args.Floats["beta"],
		Seed: uint64(in.Args.Ints["seed"]), Workers: in.workers()}
}

// EdgeColumns has how often words are in documents, if they may be more than once.
func (in Input) countColumn() []string {
	if label := in.Args.Strings["label"]; label != "" {
		return []string{label}
	}
	return nil
}

func (c *topics) EdgeColumns() []string { return c.countColumn() }

// Scratch: of each edge its word and tokens; of each token a topic; of each vertex three numbers, its place and degree
// on both sides, once for what is learned from and once for what is held out; of each word its row as it starts and as
// the master has it, and sums over blocks of topics; of each worker mirrors with what they were pulled as, and what is
// sent, and of each word a list of its topics, to a multiple of eight.
func (c *topics) Scratch() uint64 {
	row, workers := 4*uint64(c.Topics), uint64(c.threads())
	words, tokens := uint64(c.words), uint64(c.Args.Ints["tokens"])
	lists := 8 * min(tokens+8*words, words*uint64(c.Topics+7))
	return c.graphBytes(8) + 2*tokens + 128*uint64(c.N) + words*(2*row+row/16) +
		workers*(words*(3*row+64)+lists+8*row)
}

// Learn learns.
func (c *topics) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	done, edges, err := c.goOn(ctx, c.Input, tell, func() error { return c.start(chunks) })
	if err != nil || !done {
		return edges, err
	}
	if told(c.course.Report(), tell); !c.first() {
		return edges, nil
	}
	state := c.course.State()
	unigram, all := make([]float64, c.words), 0.0
	for w := range c.words {
		row := state.Right[w*c.Topics:][:c.Topics]
		c.Phi(row, state.Context, c.words, c.phi[w*c.Topics:][:c.Topics])
		for _, n := range row {
			unigram[w] += float64(n)
		}
		all += unigram[w]
	}
	for w, n := range unigram {
		unigram[w] = -math.Log((n + c.Beta) / (all + c.Beta*float64(c.words)))
	}
	of := lda.NewTopics(c.Params, c.phi, int(c.Args.Ints["sweeps"]))
	for i := range heldParts {
		if err := c.foretell(ctx, chunks, of, unigram, trainPart+1+float32(i), c.held[i*heldWidth:]); err != nil {
			return edges, err
		}
	}
	return edges, nil
}

// start reads the documents that are learned from.
func (c *topics) start(chunks []*csr.Chunk) error {
	g, err := c.documents(chunks, func(part float32) bool { return part == trainPart })
	if err != nil {
		return err
	}
	if len(g.Right.Vertices) != c.words {
		return plugins.Errorf(plugins.KindInvalid, "edges lead to %d vertices, not to %d", len(g.Right.Vertices), c.words)
	}
	c.course, err = start(c.Input, lda.Program(c.Params, &g.Graph), &g.Graph, c.options(&c.telling))
	return err
}

// documents are those of some parts.
func (c *topics) documents(chunks []*csr.Chunk, is func(part float32) bool) (*Bipartite[lda.Tokens], error) {
	return c.readTokens(chunks, func(d, _ int) bool { return is(c.part[d]) })
}

// readTokens makes the bipartite graph of some documents, nil: of all.
func (in Input) readTokens(chunks []*csr.Chunk, keep func(d, w int) bool) (*Bipartite[lda.Tokens], error) {
	var bad error
	g, err := Read(in, chunks, false, keep, func(d, w int, count float64) lda.Tokens {
		if !(count >= 0 && count <= math.MaxInt32) || count != math.Trunc(count) {
			bad = plugins.Errorf(plugins.KindInvalid, "the edge from vertex %d to %d has the count %v; give a whole number of at "+
				"least 0", d, w, count)
			return lda.Tokens{}
		}
		return lda.Tokens{Count: uint32(count)}
	})
	if bad != nil {
		return nil, bad
	}
	if err != nil {
		return nil, err
	}
	for d := range g.Lefts() {
		next := uint32(0)
		for i := g.Offsets[d]; i < g.Offsets[d+1]; i++ {
			g.Edges[i].First = next
			next += g.Edges[i].Count
		}
	}
	return g, nil
}

// foretell says how well topics foretell the documents of a part.
func (c *topics) foretell(ctx context.Context, chunks []*csr.Chunk, of *lda.Topics, unigram []float64, part float32,
	to []float32) error {
	some := false
	for _, p := range c.part {
		some = some || p == part
	}
	if !some {
		return nil
	}
	g, err := c.documents(chunks, func(p float32) bool { return p == part })
	if err != nil {
		return err
	}
	type told struct {
		loss, unigram float64
		tokens        int
	}
	all := make([]told, g.Lefts())
	err = eachDocument(ctx, c.workers(), of, g, func(r *lda.Reader, d int, tokens []uint32) {
		var t told
		t.loss, t.tokens = r.Completion(int(g.Left.Vertices[d]), tokens, make([]float32, c.Topics))
		for _, w := range lda.Unseen(tokens) {
			t.unigram += unigram[w]
		}
		all[d] = t
	})
	var sum told
	for _, t := range all {
		sum.loss, sum.unigram, sum.tokens = sum.loss+t.loss, sum.unigram+t.unigram, sum.tokens+t.tokens
	}
	if n := float64(sum.tokens); n > 0 {
		to[heldLoss], to[heldUnigram], to[heldTokens] = float32(sum.loss/n), float32(sum.unigram/n), float32(n)
	}
	return err
}

// eachDocument has workers read documents that have words, each the next one.
func eachDocument(ctx context.Context, workers int, of *lda.Topics, g *Bipartite[lda.Tokens],
	do func(r *lda.Reader, d int, tokens []uint32)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			r, tokens := of.Reader(), []uint32(nil)
			for ctx.Err() == nil {
				d := int(next.Add(1)) - 1
				if d >= g.Lefts() {
					return
				}
				tokens = tokens[:0]
				for i := g.Offsets[d]; i < g.Offsets[d+1]; i++ {
					for range g.Edges[i].Count {
						tokens = append(tokens, g.Targets[i])
					}
				}
				if len(tokens) > 0 {
					do(r, d, tokens)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
