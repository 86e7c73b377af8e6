package train

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train/decode"
)

// readPass is a third pass of a network that learns from pairs: vectors, with dropouts as learnPass drops them.
const readPass = 2

// PairCourse is what a network learns of pairs of vertices, and from what.
type PairCourse struct {
	Compiled  *neural.Compiled
	Examples  dataset.Examples
	Negatives int // pairs without a link that are drawn for each with one
	Seed      uint64
	Vertices  uint64
	Directed  bool
	Threads   int
	Keeper    *Keeper // nil: an attempt that dies is lost
	Batch     int     // it learns from so many pairs at a time, with the negatives of each; 0: from all
}

// links says whether links are learned.
func (c PairCourse) links() bool { return c.Compiled.Schema.Task == neural.Links }

// Columns are the inputs that vary.
func (c PairCourse) Columns() map[string][]float32 {
	columns := map[string][]float32{}
	if c.Batch == 0 {
		columns[neural.InputSlope] = make([]float32, c.Vertices*uint64(c.Compiled.Program.Output.Width))
	} else {
		columns[neural.InputPerSample] = perSample(c.Vertices)
	}
	return embedded(columns, c.Compiled, c.Vertices)
}

// Passes are those of a network that learns from pairs.
func (c PairCourse) Passes() []Pass {
	vectors := []*dataflow.Value{c.Compiled.Program.Output}
	batched := c.Batch > 0
	return []Pass{{Roots: slopes(c.Compiled), Drops: true, Batched: batched}, {Roots: vectors},
		{Roots: vectors, Drops: true, Batched: batched}}
}

// Scale is how values are told to a decoder: less the mean of those that are learned from, by their deviation.
type Scale struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

func scaleOf(values []float32) Scale {
	s := Scale{Mean: Mean(values)}
	for _, x := range values {
		s.Deviation += (float64(x) - s.Mean) * (float64(x) - s.Mean)
	}
	if s.Deviation = math.Sqrt(s.Deviation / float64(max(len(values), 1))); s.Deviation == 0 {
		s.Deviation = 1
	}
	return s
}

// LearnedPairs is a model of pairs that has learned. Its Parameters are those of Compiled.Learned, rows of vertices and
// their biases, if any are learned, and those of the decoder.
type LearnedPairs struct {
	Learned
	Scale    Scale
	Baseline *Baseline
}

// pairing is what learning from pairs knows on its way.
type pairing struct {
	PairCourse
	session   *Session
	decoder   *decode.Decoder
	all       [][]float32
	by        []*neural.Optimizer[float32]
	rows      decode.Rows
	slopes    decode.Slopes
	scale     Scale
	learn     dataset.Examples
	counts    []float32 // of each vertex, its share of the weight decay
	negatives *dataset.Negatives
	tests     map[dataset.Part]dataset.Examples // what each part is scored by; of links, Wanted says which are there
}

// LearnPairs trains as Learn does, from pairs of vertices.
func (s *Session) LearnPairs(ctx context.Context, c PairCourse, tell func(Epoch)) (l LearnedPairs, err error) {
	p, err := pair(s, c)
	if err != nil {
		return l, err
	}
	training := c.Compiled.Model.Training
	stop := stopping{Patience: training.Patience}
	if from := c.Keeper.read(); from != nil {
		if l.Learned, stop, err = from.resume(p.all, p.by); err != nil {
			return l, err
		}
		l.Resumed = len(l.Epochs)
	}
	if err := bring(s, c.Compiled, p.all); err != nil {
		return l, err
	}
	for number := len(l.Epochs) + 1; number <= training.Epochs && !stop.Now; number++ {
		if err := context.Cause(ctx); err != nil {
			return l, err
		}
		e, err := p.epoch(ctx, number)
		if err != nil {
			return l, err
		}
		if stop.better(e.Validation) {
			l.Best, l.Parameters = number, copied(p.all)
		}
		l.Epochs = append(l.Epochs, e)
		if tell != nil {
			tell(e)
		}
		if c.Keeper.due() {
			c.Keeper.write(take(p.all, p.by, l.Learned, stop))
		}
	}
	c.Keeper.Remove()
	if l.Best == 0 {
		l.Best, l.Parameters = len(l.Epochs), copied(p.all)
	}
	return l, p.finish(&l)
}

// pair makes ready to learn.
func pair(s *Session, c PairCourse) (*pairing, error) {
	p := &pairing{PairCourse: c, session: s, learn: c.Examples.Of(dataset.Train),
		tests: map[dataset.Part]dataset.Examples{}, counts: make([]float32, c.Vertices)}
	var err error
	if p.decoder, err = decode.New(c.Compiled.Decoder, c.Threads); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(c.Seed, 0))
	p.all, p.by = draw(s, c.Compiled, r)
	d, training := c.Compiled.Decoder, c.Compiled.Model.Training
	add := func(numbers []float32) {
		p.all, p.by = append(p.all, numbers), append(p.by, neural.NewOptimizer[float32](training, len(numbers)))
	}
	if d.HasBias() {
		p.rows.Biases = make([]float32, c.Vertices*uint64(decode.BiasColumns(c.Directed)))
		p.slopes.Biases = make([]float32, len(p.rows.Biases))
		add(p.rows.Biases)
	}
	for _, l := range d.Learned {
		numbers := make([]float32, l.Value.Rows*l.Value.Width)
		neural.Draw(l, r, numbers)
		p.rows.Parameters = append(p.rows.Parameters, numbers)
		p.slopes.Parameters = append(p.slopes.Parameters, make([]float32, len(numbers)))
		add(numbers)
	}
	p.rows.Directed = c.Directed
	p.slopes.Vectors = make([]float32, c.Vertices*uint64(c.Compiled.Program.Output.Width))
	for _, pair := range p.learn.Pairs {
		p.counts[pair.Source] += 1 / float32(len(p.learn.Pairs))
		p.counts[pair.Target] += 1 / float32(len(p.learn.Pairs))
	}
	if c.links() {
		p.scale = Scale{Deviation: 1}
		return p, p.drawTests()
	}
	p.scale = scaleOf(p.learn.Wanted)
	for part := range dataset.Parts {
		p.tests[part] = c.Examples.Of(part)
	}
	return p, nil
}

// Streams of random numbers of the same seed.
const (
	negativeStream = 0x6e6567
	testStream     = 0x74657374
)

// drawTests adds to the links of each part as many pairs without one, of which none is a link of the graph. Those that
// are drawn to learn from are none that are learned from: a link that is held out may be among them, as else what is
// never drawn would be told.
func (p *pairing) drawTests() error {
	p.negatives = dataset.NewNegatives(p.learn.Pairs, p.learn.Pairs, p.Directed)
	never := dataset.NewNegatives(p.Examples.Pairs, p.Examples.Pairs, p.Directed)
	for _, part := range []dataset.Part{dataset.Train, dataset.Validation, dataset.Test} {
		of := p.Examples.Of(part)
		r := rand.New(rand.NewPCG(p.Seed, testStream+uint64(part)))
		links := len(of.Pairs)
		var err error
		if of.Pairs, err = never.Draw(links*p.Negatives, r, of.Pairs); err != nil {
			return err
		}
		of.Wanted = ones(links, len(of.Pairs))
		p.tests[part] = of
	}
	return nil
}

// ones are so many, and zeros behind.
func ones(count, all int) []float32 {
	list := make([]float32, all)
	for i := range count {
		list[i] = 1
	}
	return list
}

// examples are what an epoch learns from, as a decoder is told.
func (p *pairing) examples(epoch int) (pairs []dataset.Pair, wanted []float32, err error) {
	if p.links() {
		r := rand.New(rand.NewPCG(p.Seed, negativeStream+uint64(epoch)<<24))
		links := len(p.learn.Pairs)
		pairs = append(make([]dataset.Pair, 0, links*(1+p.Negatives)), p.learn.Pairs...)
		pairs, err = p.negatives.Draw(links*p.Negatives, r, pairs)
		return pairs, ones(links, len(pairs)), err
	}
	wanted = make([]float32, len(p.learn.Wanted))
	for i, x := range p.learn.Wanted {
		wanted[i] = float32((float64(x) - p.scale.Mean) / p.scale.Deviation)
	}
	return p.learn.Pairs, wanted, nil
}

// epoch learns once from all examples: from all at a time, or batch by batch.
func (p *pairing) epoch(ctx context.Context, number int) (e Epoch, err error) {
	began := time.Now()
	e.Number = number
	if p.Batch > 0 {
		e.Sampled = &Sampled{}
		e.Loss, *e.Sampled, err = p.learnPairs(ctx, number)
	} else {
		e.Loss, err = p.learnAll(number)
	}
	if err != nil {
		return e, err
	}
	e.Took = time.Since(began)
	e.Validation, err = p.validate(number)
	return e, err
}

// learnAll learns from all examples at a time.
func (p *pairing) learnAll(epoch int) (loss float64, err error) {
	c, s := p.Compiled, p.session
	pairs, wanted, err := p.examples(epoch)
	if err != nil {
		return 0, err
	}
	drops := dataflow.Dropout{Seed: p.Seed, Epoch: epoch}
	if err := s.Pass(readPass, drops); err != nil {
		return 0, err
	}
	p.rows.Vectors = s.Result(readPass, c.Program.Output)
	loss, err = p.lossOf(p.decoder.Slopes(&p.rows, pairs, wanted, 1/float64(len(pairs)), &p.slopes), epoch)
	if err == nil {
		err = s.Write(neural.InputSlope, p.slopes.Vectors)
	}
	if err == nil && len(slopes(c)) > 0 {
		err = s.Pass(learnPass, drops)
	}
	if err != nil {
		return 0, err
	}
	p.step(epoch, func(v *dataflow.Value) []float32 { return s.Result(learnPass, v) }, p.counts)
	return loss, bring(s, c, p.all)
}

// lossOf is a decoder's loss as one of values, if it is finite.
func (p *pairing) lossOf(decoders float64, epoch int) (loss float64, err error) {
	loss = decoders * p.scale.Deviation * p.scale.Deviation
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		err = &DivergedError{epoch, p.rate(), "the loss"}
	}
	return loss, err
}

// rate is how fast it learns at first.
func (p *pairing) rate() float64 { return p.Compiled.Model.Training.LearningRate }

// step changes all that is learned: by gradients of the network, and by those of the decoder.
func (p *pairing) step(epoch int, of func(*dataflow.Value) []float32, counts []float32) {
	step(p.Compiled, p.all, p.by, epoch, of, counts)
	at, rate := len(p.all)-len(p.rows.Parameters), p.Compiled.Model.Training.Rate(epoch)
	if p.rows.Biases != nil {
		for i, x := range p.rows.Biases {
			p.slopes.Biases[i] += damping * x / float32(len(p.learn.Pairs))
		}
		p.by[at-1].Step(p.rows.Biases, p.slopes.Biases, rate, 0)
	}
	for i, numbers := range p.rows.Parameters {
		p.by[at+i].Step(numbers, p.slopes.Parameters[i], rate, 0)
	}
}

// validate scores the examples for validation, if there are any.
func (p *pairing) validate(epoch int) (*trained.Scores, error) {
	if len(p.tests[dataset.Validation].Pairs) == 0 {
		return nil, nil
	}
	if err := p.session.Pass(tellPass, dataflow.Dropout{}); err != nil {
		return nil, err
	}
	p.rows.Vectors = p.session.Result(tellPass, p.Compiled.Program.Output)
	return scored(p.score(dataset.Validation), epoch, p.rate())
}

// score compares what is said of a part's pairs with what is wanted. Without any it is nil.
func (p *pairing) score(part dataset.Part) *trained.Scores {
	test := p.tests[part]
	n := float64(len(test.Pairs))
	if n == 0 {
		return nil
	}
	said := make([]float32, len(test.Pairs))
	p.decoder.Say(&p.rows, test.Pairs, said)
	s := &trained.Scores{Edges: len(test.Pairs)}
	if p.links() {
		there := make([]bool, len(said))
		for i, x := range said {
			there[i] = test.Wanted[i] > 0
			s.Loss += softplus(float64(x)) - float64(x)*float64(test.Wanted[i])
		}
		area, precision := ranking(said, there)
		s.Loss, s.AUC, s.Precision = s.Loss/n, &area, &precision
		return s
	}
	return ValueScores(said, p.scale, test.Wanted)
}

// ValueScores compares what is said of values, by their scale, with what they are.
func ValueScores(said []float32, scale Scale, wanted []float32) *trained.Scores {
	squares, off, n := 0.0, 0.0, float64(len(wanted))
	for i, x := range said {
		d := scale.Mean + scale.Deviation*float64(x) - float64(wanted[i])
		squares, off = squares+d*d, off+math.Abs(d)
	}
	return &trained.Scores{Edges: len(wanted), Loss: squares / 2 / n, RMSE: ref(math.Sqrt(squares / n)), MAE: ref(off / n)}
}

// finish scores the parameters that are kept.
func (p *pairing) finish(l *LearnedPairs) error {
	for i, numbers := range l.Parameters {
		copy(p.all[i], numbers)
	}
	if err := p.session.Set(p.Compiled, p.all); err != nil {
		return err
	}
	if err := p.session.Pass(tellPass, dataflow.Dropout{}); err != nil {
		return err
	}
	p.rows.Vectors = p.session.Result(tellPass, p.Compiled.Program.Output)
	l.Scores, l.Scale = map[dataset.Part]*trained.Scores{}, p.scale
	if err := l.sound(p.rate(), p.rows.Vectors); err != nil {
		return err
	}
	for part := range dataset.Parts {
		scores, err := scored(p.score(part), l.Best, p.rate())
		if err != nil {
			return err
		}
		if scores != nil {
			l.Scores[part] = scores
		}
	}
	l.Baseline = p.baseline()
	return nil
}

// baseline is of the test, or else of validation; nil without either.
func (p *pairing) baseline() *Baseline {
	for _, part := range []dataset.Part{dataset.Test, dataset.Validation} {
		test := p.tests[part]
		switch {
		case len(test.Pairs) == 0:
			continue
		case p.links():
			there := make([]bool, len(test.Pairs))
			for i := range there {
				there[i] = test.Wanted[i] > 0
			}
			return linkBaseline(p.learn.Pairs, test.Pairs, there, p.Vertices)
		}
		return ValueBaseline(p.learn, test, p.Vertices, p.Directed)
	}
	return nil
}
