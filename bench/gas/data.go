package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/planted"
)

// data are ratings: those that are learned from by both ends, and others.
type data struct {
	users, items   lists
	mean, variance float64
	held           []rating
}

// lists are the ratings of a side's vertices.
type lists struct {
	offsets []int64
	targets []uint32
	values  []float32
}

type rating struct {
	user, item uint32
	value      float32
}

// plant makes ratings up, as penstock generate --kind ratings does, and holds a tenth out.
func plant(o planted.Options) (*data, error) {
	source, err := planted.New(o)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	d, draw := &data{}, rand.New(rand.NewPCG(o.Seed, 0))
	var learn []rating
	err = source.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		values, are := b.Props.Column(0).(*array.Float64)
		if !are {
			return fmt.Errorf("ratings are %v", b.Props.Column(0).DataType())
		}
		for i, value := range values.Float64Values() {
			r := rating{number(b.Src.Text(i)), number(b.Dst.Text(i)), float32(value)}
			if draw.IntN(10) == 0 {
				d.held = append(d.held, r)
			} else {
				learn = append(learn, r)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.users = by(o.Users, learn, func(r rating) (uint32, uint32) { return r.user, r.item })
	d.items = by(o.Items, learn, func(r rating) (uint32, uint32) { return r.item, r.user })
	for _, r := range learn {
		d.mean += float64(r.value) / float64(len(learn))
	}
	for _, r := range learn {
		d.variance += (float64(r.value) - d.mean) * (float64(r.value) - d.mean) / float64(len(learn))
	}
	return d, nil
}

// number is that of a vertex of its side, from an id such as User:17.
func number(id string) uint32 {
	n, _ := strconv.ParseUint(id[strings.IndexByte(id, ':')+1:], 10, 32) // planted writes no others
	return uint32(n - 1)
}

// by sorts ratings by one end.
func by(n int, all []rating, ends func(rating) (of, other uint32)) lists {
	l := lists{make([]int64, n+1), make([]uint32, len(all)), make([]float32, len(all))}
	for _, r := range all {
		of, _ := ends(r)
		l.offsets[of+1]++
	}
	for v := range n {
		l.offsets[v+1] += l.offsets[v]
	}
	next := append([]int64{}, l.offsets...)
	for _, r := range all {
		of, other := ends(r)
		l.targets[next[of]], l.values[next[of]] = other, r.value
		next[of]++
	}
	return l
}

// degrees is how many ratings each vertex has.
func (l lists) degrees() (all []uint32) {
	for v := range len(l.offsets) - 1 {
		all = append(all, uint32(l.offsets[v+1]-l.offsets[v]))
	}
	return all
}

// rmse is the root of the mean square by which a model is off ratings that are held out.
func (d *data) rmse(m model) float64 {
	sum := 0.0
	for _, r := range d.held {
		e := float64(r.value) - m.says(r.user, r.item)
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(d.held)))
}
