package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
)

// The passes of a network that learns, and of one that only tells.
const (
	learnPass = 0 // gradients and loss
	tellPass  = 1 // what the model says of each vertex
)

// Course is what a network learns, and from what.
type Course struct {
	Compiled *neural.Compiled
	Targets  dataset.Targets
	Parts    []dataset.Part // by vertex
	Seed     uint64
	Keeper   *Keeper // nil: an attempt that dies is lost
	Batch    int     // it learns from so many vertices at a time; 0: from all
}

// Columns are the inputs that tell a network what is wanted, and of which vertices.
func (c Course) Columns() map[string][]float32 {
	weights := make([]float32, len(c.Parts))
	each := 1 / float32(max(dataset.Count(c.Parts)[dataset.Train], 1))
	for v, p := range c.Parts {
		if p == dataset.Train {
			weights[v] = each
		}
	}
	columns := map[string][]float32{neural.InputWanted: c.Targets.Wanted, neural.InputWeight: weights}
	return embedded(columns, c.Compiled, uint64(len(c.Parts)))
}

// embedded are columns with the rows of so many vertices that are learned, if any are.
func embedded(columns map[string][]float32, c *neural.Compiled, vertices uint64) map[string][]float32 {
	if width := uint64(c.Schema.Embedding); width > 0 {
		columns[neural.InputEmbedding] = make([]float32, vertices*width)
	}
	return columns
}

// perSample is the input of a network that learns batch by batch, as it is asked about the whole graph: no neighbor is
// left out then.
func perSample(vertices uint64) []float32 {
	each := make([]float32, vertices)
	for v := range each {
		each[v] = 1
	}
	return each
}

// Whole are the inputs of a network that learns batch by batch, as it is asked about the whole graph.
func (c Course) Whole() map[string][]float32 {
	vertices := uint64(len(c.Parts))
	return embedded(map[string][]float32{neural.InputPerSample: perSample(vertices)}, c.Compiled, vertices)
}

// Passes are those of a network that learns.
func (c Course) Passes() []Pass {
	p := c.Compiled.Program
	return []Pass{{Roots: append(slopes(c.Compiled), p.Loss), Drops: true, Batched: c.Batch > 0},
		{Roots: []*dataflow.Value{p.Output}}}
}

// Epoch is what an epoch has come to.
type Epoch struct {
	Number     int             `json:"epoch"` // 1 is the first
	Loss       float64         `json:"loss"`  // of training, with its dropouts
	Validation *trained.Scores `json:"validation,omitempty"`
	Sampled    *Sampled        `json:"sampled,omitempty"`
	Took       time.Duration   `json:"-"` // to learn; without what validation takes
}

// Learned is a model that has learned.
type Learned struct {
	Parameters [][]float32 // as Compiled.Learned; then rows of vertices, if any are learned
	Epochs     []Epoch
	Best       int // the epoch whose parameters these are
	Resumed    int // after which epoch it went on from a checkpoint; 0: it began at the beginning
	Scores     map[dataset.Part]*trained.Scores
	Rows       []float32 // what the model says of each vertex
}

// Learn trains for as many epochs as the model says, or until its validation scores have not become better for as many
// as its patience is. With patience the parameters are those of the epoch with the best scores; else of the last.
func (s *Session) Learn(ctx context.Context, c Course, tell func(Epoch)) (l Learned, err error) {
	training := c.Compiled.Model.Training
	all, by := draw(s, c.Compiled, rand.New(rand.NewPCG(c.Seed, 0)))
	stop := stopping{Patience: training.Patience}
	if p := c.Keeper.read(); p != nil {
		if l, stop, err = p.resume(all, by); err != nil {
			return l, err
		}
		l.Resumed = len(l.Epochs)
	}
	if err := bring(s, c.Compiled, all); err != nil {
		return l, err
	}
	for number := len(l.Epochs) + 1; number <= training.Epochs && !stop.Now; number++ {
		if err := context.Cause(ctx); err != nil {
			return l, err
		}
		e, err := s.epoch(ctx, c, all, by, number)
		if err != nil {
			return l, err
		}
		if e.Validation, err = s.validate(c, number); err != nil {
			return l, err
		}
		if stop.better(e.Validation) {
			l.Best, l.Parameters = number, copied(all)
		}
		l.Epochs = append(l.Epochs, e)
		if tell != nil {
			tell(e)
		}
		if c.Keeper.due() {
			c.Keeper.write(take(all, by, l, stop))
		}
	}
	c.Keeper.Remove()
	if l.Best == 0 {
		l.Best, l.Parameters = len(l.Epochs), copied(all)
	}
	return s.finish(c, l)
}

// epoch learns from all vertices for training once: from all at a time, or batch by batch.
func (s *Session) epoch(ctx context.Context, c Course, all [][]float32, by []*neural.Optimizer[float32],
	number int) (e Epoch, err error) {
	began := time.Now()
	e.Number = number
	if s.batches != nil {
		e.Sampled = &Sampled{}
		e.Loss, *e.Sampled, err = s.learnVertices(ctx, c, all, by, number)
	} else if err = s.Pass(learnPass, dataflow.Dropout{Seed: c.Seed, Epoch: number}); err == nil {
		e.Loss, err = s.step(c, all, by, number, func(v *dataflow.Value) []float32 { return s.Result(learnPass, v) })
		if err == nil {
			err = bring(s, c.Compiled, all)
		}
	}
	e.Took = time.Since(began)
	return e, err
}

// step changes the parameters by gradients, and tells the loss.
func (s *Session) step(c Course, all [][]float32, by []*neural.Optimizer[float32], epoch int,
	of func(*dataflow.Value) []float32) (loss float64, err error) {
	if loss = float64(of(c.Compiled.Program.Loss)[0]); math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss, &DivergedError{epoch, c.Compiled.Model.Training.LearningRate, "the loss"}
	}
	step(c.Compiled, all, by, epoch, of, nil)
	return loss, nil
}

// learnVertices learns for an epoch from some vertices at a time.
func (s *Session) learnVertices(ctx context.Context, c Course, all [][]float32, by []*neural.Optimizer[float32],
	epoch int) (loss float64, sum Sampled, err error) {
	order := c.order(epoch)
	sum, err = learnBatches(ctx, s, c.Compiled, all, epoch, slices.Chunk(order, c.Batch), func(b *batch) error {
		if err := b.pass(learnPass); err != nil {
			return err
		}
		each, err := s.step(c, all, by, epoch, b.slope)
		loss += float64(b.Graph.Seeds) / float64(len(order)) * each
		return err
	})
	return loss, sum, err
}

// validate scores the vertices for validation, if there are any.
func (s *Session) validate(c Course, epoch int) (*trained.Scores, error) {
	if !slices.Contains(c.Parts, dataset.Validation) {
		return nil, nil
	}
	if err := s.Pass(tellPass, dataflow.Dropout{}); err != nil {
		return nil, err
	}
	scores := Score(c.Targets, c.Parts, dataset.Validation, s.Result(tellPass, c.Compiled.Program.Output))
	return scored(scores, epoch, c.Compiled.Model.Training.LearningRate)
}

// finish scores the parameters that are kept.
func (s *Session) finish(c Course, l Learned) (Learned, error) {
	if err := s.Set(c.Compiled, l.Parameters); err != nil {
		return l, err
	}
	if err := s.Pass(tellPass, dataflow.Dropout{}); err != nil {
		return l, err
	}
	l.Rows = slices.Clone(s.Result(tellPass, c.Compiled.Program.Output))
	if err := l.sound(c.Compiled.Model.Training.LearningRate, l.Rows); err != nil {
		return l, err
	}
	l.Scores = map[dataset.Part]*trained.Scores{}
	for part := range dataset.Parts {
		if scores := Score(c.Targets, c.Parts, part, l.Rows); scores != nil {
			l.Scores[part] = scores
		}
	}
	return l, nil
}

// stopping decides when to stop early: Veličković et al., section 3.3: when neither loss nor score of the validation
// set have become better for a while.
type stopping struct {
	Patience int             `json:"patience"` // 0: never
	Loss     float64         `json:"loss"`
	Best     *trained.Scores `json:"best"`
	Waited   int             `json:"waited"`
	Now      bool            `json:"now"`
}

// better takes note of an epoch's scores, and tells whether its parameters are the best so far, of those to be kept.
func (s *stopping) better(scores *trained.Scores) bool {
	if s.Patience == 0 || scores == nil {
		return false
	}
	s.Waited++
	if s.Best == nil || scores.Loss < s.Loss {
		s.Loss, s.Waited = scores.Loss, 0
	}
	is := scores.Better(s.Best)
	if is {
		s.Best, s.Waited = scores, 0
	}
	s.Now = s.Waited >= s.Patience
	return is
}
