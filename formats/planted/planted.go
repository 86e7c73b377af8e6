// Package planted generates ratings whose law is known, to learn them by.
//
//	user u, item i ──seed──▶ 16 numbers each, p and q ──▶ rating = 3.5 + p·q + noise of deviation 0.5
//
// Products p·q have mean 0 and deviation 1, so that who always says 3.5 is off by √1.25 = 1.118 (root of the mean
// square), and who knows p and q by 0.5: nobody does better on pairs that were not learned from.
//
// Degrees follow power laws: of users sorted by degree the first share x has x^(2/3) of the ratings, and a rating is of
// the first share x of items with probability x^(1/2), but no user rates an item twice, nor more than half of them. Ids
// do not tell degrees. A source holds 16 numbers and the id of each user and item, and a batch.
package planted

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/bipartite"
	"github.com/penstock-db/penstock/formats/ratings"
)

// Options describe ratings.
type Options struct {
	Users, Items int
	Ratings      int64
	Seed         uint64
	Allocator    memory.Allocator // holds properties; nil: memory.DefaultAllocator
}

// The law of ratings.
const (
	Mean  = 3.5
	Noise = 0.5
	rank  = 16
)

const maxVertices = 1 << 26

// OptionError says which option cannot be.
type OptionError struct {
	Option, Found, Expected string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("generate: %s is %s; expected %s", e.Option, e.Found, e.Expected)
}

func (o Options) check() error {
	switch {
	case o.Users < 1 || o.Users > maxVertices:
		return &OptionError{"number of users", fmt.Sprint(o.Users), fmt.Sprintf("1 to %d", maxVertices)}
	case o.Items < 2 || o.Items > maxVertices:
		return &OptionError{"number of items", fmt.Sprint(o.Items), fmt.Sprintf("2 to %d", maxVertices)}
	case o.Ratings < 1 || o.Ratings > int64(o.Users)*int64(o.Items/2)/2:
		return &OptionError{"number of ratings", fmt.Sprint(o.Ratings),
			fmt.Sprintf("1 to %d, a quarter of all pairs", int64(o.Users)*int64(o.Items/2)/2)}
	}
	return nil
}

// New is the ratings that o describes. The same options give the same ratings, in the same order.
func New(o Options) (formats.Source, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	id := arrow.Field{Name: bipartite.IDProperty, Type: arrow.PrimitiveTypes.Int64, Nullable: true}
	rating := arrow.Field{Name: ratings.Rating, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
	s := &source{o: o, nodes: arrow.NewSchema([]arrow.Field{id}, nil)}
	s.edges = arrow.NewSchema([]arrow.Field{rating}, nil)
	return s, nil
}

type source struct {
	o            Options
	nodes, edges *arrow.Schema
}

func (s *source) name() string {
	return fmt.Sprintf("%d ratings of %d items by %d users", s.o.Ratings, s.o.Items, s.o.Users)
}

func (s *source) Schema() formats.Schema {
	return formats.Schema{Orientation: formats.Directed, NodesDeclared: true, Node: s.nodes, Edge: s.edges,
		Vertices: int64(s.o.Users + s.o.Items), Edges: s.o.Ratings, Declared: formats.Position{File: s.name()}}
}

func (s *source) Close() error { return nil }

// Held is numbers and ids of users and items, and of each item who has rated it last.
func (s *source) Held() int64 {
	const each = 4*rank + 16 + int64(len(user)) + 11
	return each*int64(s.o.Users+s.o.Items) + 4*int64(s.o.Items)
}

const user, item, rated = "User", "Item", "RATED"

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	for _, side := range []struct {
		label string
		count int
	}{{user, s.o.Users}, {item, s.o.Items}} {
		labels := repeat(side.label)
		nodes := batch.NewNodes(ctx, formats.Options{Allocator: s.o.Allocator}.Mem(), s.name(), s.nodes,
			func(b *formats.NodeBatch) error {
				b.Labels = labels[:b.ID.Len()]
				return yield(b)
			})
		err := addNodes(nodes, side.label, side.count)
		nodes.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

func addNodes(nodes *batch.Nodes, label string, count int) error {
	for n := range count {
		nodes.ID.Append(idOf(label, n))
		nodes.Int(0).Append(int64(n + 1))
		if err := nodes.EndRow(0); err != nil {
			return err
		}
	}
	return nodes.Flush()
}

func idOf(label string, n int) string { return label + ":" + strconv.Itoa(n+1) }

func repeat(text string) []string {
	all := make([]string, formats.BatchRows)
	for i := range all {
		all[i] = text
	}
	return all
}

// Streams of random numbers, so that none depends on how many another has drawn.
const (
	factorStream = iota + 1
	ratingStream
)

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	t := newTaste(s.o)
	out := newGathered(s, ctx, yield)
	defer out.values.Release()
	given, last := int64(0), make([]uint32, s.o.Items) // by item: the last user who rated it, plus one
	for place := range s.o.Users {
		many := int64(math.Round(float64(s.o.Ratings)*math.Pow(float64(place+1)/float64(s.o.Users), 2./3))) - given
		many = min(many, int64(s.o.Items/2))
		given += many
		who := t.users.at(place)
		draw := rand.New(rand.NewPCG(s.o.Seed, ratingStream<<32|uint64(place)))
		for many > 0 {
			x := draw.Float64()
			what := t.items.at(int(x * x * float64(s.o.Items)))
			if last[what] == uint32(place+1) {
				continue
			}
			last[what] = uint32(place + 1)
			many--
			if err := out.add(who, what, t.of(who, what)+Noise*draw.NormFloat64()); err != nil {
				return err
			}
		}
	}
	return out.flush()
}

// taste is what users think of items.
type taste struct {
	p, q         []float32
	users, items scramble
}

func newTaste(o Options) *taste {
	draw := rand.New(rand.NewPCG(o.Seed, factorStream))
	t := &taste{p: make([]float32, rank*o.Users), q: make([]float32, rank*o.Items), users: newScramble(o.Users),
		items: newScramble(o.Items)}
	deviation := math.Pow(rank, -0.25) // of a factor, for products of deviation 1
	for _, numbers := range [][]float32{t.p, t.q} {
		for i := range numbers {
			numbers[i] = float32(deviation * draw.NormFloat64())
		}
	}
	return t
}

// of is what a user thinks of an item.
func (t *taste) of(who, what int) float64 {
	sum := float32(0)
	p, q := t.p[rank*who:][:rank], t.q[rank*what:][:rank]
	for k := range p {
		sum += p[k] * q[k]
	}
	return Mean + float64(sum)
}

// scramble is a permutation of 0 … n-1: a multiplication by what has no factor in common with n.
type scramble struct{ n, by int }

func newScramble(n int) scramble {
	by := int(float64(n)*0.6180339887) | 1
	for gcd(by, n) != 1 {
		by++
	}
	return scramble{n, by % n}
}

func (s scramble) at(i int) int { return i * s.by % s.n }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// gathered is a batch on its way.
type gathered struct {
	batch        formats.EdgeBatch
	values       *array.RecordBuilder
	types        []string
	users, items []string
	ctx          context.Context
	yield        func(*formats.EdgeBatch) error
}

func newGathered(s *source, ctx context.Context, yield func(*formats.EdgeBatch) error) *gathered {
	g := &gathered{values: array.NewRecordBuilder(formats.Options{Allocator: s.o.Allocator}.Mem(), s.edges),
		types: repeat(rated), ctx: ctx, yield: yield, users: make([]string, s.o.Users), items: make([]string, s.o.Items)}
	for n := range g.users {
		g.users[n] = idOf(user, n)
	}
	for n := range g.items {
		g.items[n] = idOf(item, n)
	}
	name := s.name()
	g.batch.Where = func(int) formats.Position { return formats.Position{File: name} }
	return g
}

func (g *gathered) add(who, what int, rating float64) error {
	b := &g.batch
	b.Src.Ints, b.Src.Strings = append(b.Src.Ints, 0), append(b.Src.Strings, g.users[who])
	b.Dst.Ints, b.Dst.Strings = append(b.Dst.Ints, 0), append(b.Dst.Strings, g.items[what])
	b.SrcNumbers, b.DstNumbers = append(b.SrcNumbers, int64(who)), append(b.DstNumbers, int64(len(g.users)+what))
	g.values.Field(0).(*array.Float64Builder).Append(rating)
	if len(b.SrcNumbers) < formats.BatchRows {
		return nil
	}
	return g.flush()
}

func (g *gathered) flush() error {
	b := &g.batch
	if err := g.ctx.Err(); err != nil || len(b.SrcNumbers) == 0 {
		return err
	}
	b.Types = g.types[:len(b.SrcNumbers)]
	b.Props = g.values.NewRecord()
	defer b.Props.Release()
	err := g.yield(b)
	b.Src.Ints, b.Src.Strings = b.Src.Ints[:0], b.Src.Strings[:0]
	b.Dst.Ints, b.Dst.Strings = b.Dst.Ints[:0], b.Dst.Strings[:0]
	b.SrcNumbers, b.DstNumbers = b.SrcNumbers[:0], b.DstNumbers[:0]
	return err
}
