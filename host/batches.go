package host

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/host/internal/train"
)

// Fanouts are how many neighbors of a vertex are kept, hop by hop.
type Fanouts = train.Fanouts

// AllNeighbors is a fanout that keeps all.
const AllNeighbors = train.All

// BatchError is a batch that the device has no room for.
type BatchError = train.BatchError

// ParseFanouts reads "10,5", or "10,all".
func ParseFanouts(text string) (Fanouts, error) {
	f, err := train.ParseFanouts(text)
	if err != nil {
		return nil, &RequestError{Reason: err.Error()}
	}
	return f, nil
}

// TrainBatches is how a model learned batch by batch. Numbers are of the last epoch.
type TrainBatches struct {
	Size   int     `json:"size"`
	Fanout Fanouts `json:"fanout"`
	train.Sampled
}

// checkBatches refuses batches and fanouts that make no sense whatever the model is.
func (r TrainRequest) checkBatches() error {
	switch {
	case r.Batch < 0:
		return &RequestError{Reason: fmt.Sprintf("a batch of %d: it has 1 vertex or more", r.Batch)}
	case r.Batch == 0 && len(r.Fanout) > 0:
		return &RequestError{Reason: fmt.Sprintf("fanout %v is of batches: say how many vertices a batch has", r.Fanout)}
	}
	for _, n := range r.Fanout {
		if n < 1 {
			return &RequestError{Reason: fmt.Sprintf("fanout %v: of each vertex 1 neighbor is kept, or more", r.Fanout)}
		}
	}
	return nil
}

// sampling is how batches are made, of examples with so many vertices each; nil: it learns over the whole graph.
func (r TrainRequest) sampling(c *neural.Compiled, columns map[string][]float32, each int) (*train.Sampling, error) {
	if r.Batch == 0 {
		return nil, nil
	}
	hops := c.Hops
	s := &train.Sampling{Batch: r.Batch, Each: each, Fanouts: r.Fanout, Seed: r.Seed, Columns: columns}
	if len(r.Fanout) == 0 {
		s.Fanouts = train.AllNeighbors(hops)
	}
	if len(s.Fanouts) == hops {
		return s, nil
	}
	named := fmt.Sprintf("fanout %v names %d hops", r.Fanout, len(r.Fanout))
	if len(r.Fanout) == 1 {
		named = fmt.Sprintf("fanout %v names 1 hop", r.Fanout)
	}
	if hops == 0 {
		return nil, &RequestError{Reason: fmt.Sprintf("%s, but %s looks at no neighbors: leave it out", named, r.Model.Name)}
	}
	return nil, &RequestError{Reason: fmt.Sprintf("%s, but %s looks at neighbors over %d: name one number for each", named,
		r.Model.Name, hops)}
}

// batchesOf is what a report says of batches.
func batchesOf(s *train.Sampling, size int, epochs []train.Epoch) *TrainBatches {
	if s == nil {
		return nil
	}
	b := &TrainBatches{Size: size, Fanout: s.Fanouts}
	if len(epochs) > 0 && epochs[len(epochs)-1].Sampled != nil {
		b.Sampled = *epochs[len(epochs)-1].Sampled
	}
	return b
}
