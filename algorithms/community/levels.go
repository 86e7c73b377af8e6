package community

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
)

// Louvain and Leiden find communities level by level, and tell of each when `intermediate` is given:
//
//	communities(v): of v on each level, the last of which is community(v);   modularities(v): its shares of theirs
//
// A level counts where vertices have moved, and the first one also where seeds put vertices together. Vertices with the
// same seed begin as one community; those without have a label of their own, as in label propagation, or all have their
// ids. A community is called by the label that most of its vertices began with, where that is not what one with more of
// them is called by; of several by the smallest. Where no label is left it has a number above all labels.
func communityColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "community", Type: algorithms.VertexID},
		{Name: "modularity", Type: algorithms.Float},
		{Name: "communities", Type: algorithms.VertexID, Width: intermediate},
		{Name: "modularities", Type: algorithms.Float, Width: intermediate}}
}

const intermediate = "intermediate"

// communityColumnsFor leaves out levels that nobody asks for. Names that come of seeds are no vertices.
func communityColumnsFor(args algorithms.Args, columns []algorithms.Column) []algorithms.Column {
	if args.Ints[intermediate] == 0 {
		columns = columns[:2]
	}
	if args.Strings["seedProperty"] != "" {
		for i := range columns {
			if columns[i].Type == algorithms.VertexID {
				columns[i].Type = algorithms.Int
			}
		}
	}
	return columns
}

// communityParams are what louvain and leiden have beside their own.
func communityParams() []algorithms.Param {
	return []algorithms.Param{
		{Name: "levels", Type: algorithms.ParamInt, Optional: true, Min: 1, Max: math.MaxInt32,
			Doc: "move vertices on at most this many levels; without it, as long as that gains"},
		{Name: intermediate, Type: algorithms.ParamInt, Optional: true, Min: 1, Max: 64,
			Doc: "tell of the communities of each level, too, of which there are this many at most"},
		{Name: "seedProperty", Type: algorithms.ParamVertexProperty, Optional: true, Values: algorithms.Int,
			Missing: strconv.FormatInt(NoSeed, 10), Doc: "the vertex property with the community that a vertex begins in"},
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "takes vertices in another order"},
	}
}

// boundLevels has no more levels than are told of.
func boundLevels(args algorithms.Args) error {
	if told, asked := args.Ints[intermediate]; asked {
		if levels, bounded := args.Ints["levels"]; !bounded || levels > told {
			args.Ints["levels"] = told
		}
	}
	return nil
}

// firstLabels are those that vertices begin with: seeds, or ids.
func firstLabels(g *algorithms.Graph, args algorithms.Args) ([]int64, error) {
	var seeds []int64
	if args.Strings["seedProperty"] != "" {
		var err error
		if seeds, err = argument.Wholes(g, args, "seedProperty"); err != nil {
			return nil, err
		}
	}
	return FirstLabels(g.IDs, seeds)
}

// hierarchy is the communities of an oracle, level by level.
type hierarchy struct {
	of     *affinity
	first  []int64 // labels that vertices begin with
	levels [][]int
	most   int64
}

func newHierarchy(g *algorithms.Graph, args algorithms.Args) (*hierarchy, error) {
	h := &hierarchy{most: math.MaxInt64}
	if levels, bounded := args.Ints["levels"]; bounded {
		h.most = levels
	}
	var err error
	if h.of, err = newAffinity(g, args); err == nil {
		h.first, err = firstLabels(g, args)
	}
	return h, err
}

// begin are the communities that vertices begin in.
func (h *hierarchy) begin() []int {
	number, community := map[int64]int{}, make([]int, len(h.first))
	for v, label := range h.first {
		if _, known := number[label]; !known {
			number[label] = v
		}
		community[v] = number[label]
	}
	return community
}

func (h *hierarchy) add(community []int) { h.levels = append(h.levels, slices.Clone(community)) }

func (h *hierarchy) full() bool { return int64(len(h.levels)) >= h.most }

// result tells of the last communities and, where that is asked for, of all levels.
func (h *hierarchy) result(g *algorithms.Graph, args algorithms.Args, last []int) []algorithms.Values {
	var result []algorithms.Values
	for _, column := range communityColumnsOf(args) {
		result = append(result, algorithms.NewValues(column, g.N()))
	}
	copy(result[0].Ints, h.names(g, last))
	copy(result[1].Floats, h.of.shares(last))
	if len(result) == 2 {
		return result
	}
	for l := range result[2].Each {
		names, shares := h.none(g)
		if l < len(h.levels) {
			names, shares = h.names(g, h.levels[l]), h.of.shares(h.levels[l])
		}
		for v := range names {
			at := v*result[2].Each + l
			result[2].Ints[at], result[3].Floats[at] = names[v], shares[v]
		}
	}
	return result
}

// none is what is told of a level that there is not.
func (h *hierarchy) none(g *algorithms.Graph) (names []int64, shares []float64) {
	return slices.Repeat([]int64{algorithms.Unreached}, g.N()), slices.Repeat([]float64{math.NaN()}, g.N())
}

// communityColumnsOf are the columns of a result for arguments.
func communityColumnsOf(args algorithms.Args) []algorithms.Column {
	a := algorithms.Algorithm{Result: communityColumns(), Vary: communityColumnsFor}
	return a.Columns(args)
}

// names are those of communities, which have numbers.
func (h *hierarchy) names(g *algorithms.Graph, community []int) []int64 {
	type claim struct {
		community int
		label     int64
	}
	members, least, unnamed := map[claim]int{}, map[int]int64{}, int64(0)
	for v, c := range community {
		members[claim{c, h.first[v]}]++
		unnamed = max(unnamed, h.first[v]+1)
		if id, known := least[c]; !known || g.IDs[v] < id {
			least[c] = g.IDs[v]
		}
	}
	claims := slices.SortedFunc(maps.Keys(members), func(a, b claim) int {
		return cmp.Or(cmp.Compare(members[b], members[a]), cmp.Compare(a.label, b.label),
			cmp.Compare(least[a.community], least[b.community]))
	})
	name, taken := map[int]int64{}, map[int64]bool{}
	for _, one := range claims {
		if _, named := name[one.community]; !named && !taken[one.label] {
			name[one.community], taken[one.label] = one.label, true
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(least), func(a, b int) int { return cmp.Compare(least[a], least[b]) }) {
		if _, named := name[c]; !named {
			name[c] = unnamed
			unnamed++
		}
	}
	names := make([]int64, len(community))
	for v, c := range community {
		names[v] = name[c]
	}
	return names
}

// verifyCommunities checks names and shares of all levels, that modularity does not fall, and, unless levels were
// bounded, that to merge two communities gains nothing. It gives out the communities, which are checked then.
func verifyCommunities(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values, merging bool) (*affinity,
	[]int, error) {
	if err := answer.Shaped(g, result, communityColumnsOf(args)...); err != nil {
		return nil, nil, err
	}
	h, err := newHierarchy(g, args)
	if err != nil {
		return nil, nil, err
	}
	community, err := h.verify(g, result[0].Ints, result[1].Floats)
	if err != nil {
		return h.of, community, err
	}
	if len(result) > 2 {
		if err := h.verifyLevels(g, result, community, merging); err != nil {
			return h.of, community, err
		}
	}
	if _, bounded := args.Ints["levels"]; bounded && (len(result) == 2 || h.full()) {
		return h.of, community, nil
	}
	return h.of, community, h.of.separate(g, community)
}

// verify checks one partition, which it gives out with numbers.
func (h *hierarchy) verify(g *algorithms.Graph, names []int64, shares []float64) ([]int, error) {
	number, community := map[int64]int{}, make([]int, g.N())
	for v, name := range names {
		if _, known := number[name]; !known {
			number[name] = v
		}
		community[v] = number[name]
	}
	for v, name := range h.names(g, community) {
		if names[v] != name {
			return community, answer.WrongAt(g, v, "community %d, but it is to be called %d", names[v], name)
		}
	}
	for v, share := range h.of.shares(community) {
		// A device may round weights to a part of their sum.
		if got := shares[v]; !(math.Abs(got-share) <= 1e-9*h.of.strength[v]/max(h.of.total, 1e-300)+1e-15) {
			return community, answer.WrongAt(g, v, "modularity %v, not %v", got, share)
		}
	}
	return community, nil
}

// verifyLevels checks what is told of levels, and adds these.
func (h *hierarchy) verifyLevels(g *algorithms.Graph, result []algorithms.Values, last []int, merging bool) error {
	each, before := result[2].Each, math.Inf(-1)
	names, shares := make([]int64, g.N()), make([]float64, g.N())
	for l := range each {
		count := 0
		for v := range names {
			names[v], shares[v] = result[2].Ints[v*each+l], result[3].Floats[v*each+l]
			if names[v] != algorithms.Unreached {
				count++
			}
		}
		ended := l > len(h.levels)
		switch {
		case count != 0 && count != g.N() || count > 0 && ended:
			return answer.Wrong("level %d is told of %d vertices of %d", l, count, g.N())
		case count == 0:
			for v, share := range shares {
				if share == share {
					return answer.WrongAt(g, v, "modularity %v on level %d, which there is not", share, l)
				}
			}
			continue
		}
		community, err := h.verify(g, names, shares)
		if err != nil {
			return err
		}
		if q := vector.Sum(shares); q < before-1e-9 {
			return answer.Wrong("level %d has the modularity %v, less than %v of the level before", l, q, before)
		} else {
			before = q
		}
		if err := h.verifyMerged(g, community); merging && err != nil {
			return err
		}
		h.add(community)
	}
	if len(h.levels) == 0 {
		h.add(singletons(g.N()))
		defer func() { h.levels = nil }()
	}
	for v, c := range h.levels[len(h.levels)-1] {
		if c != last[v] {
			return answer.WrongAt(g, v, "community %d, but another on the last level", result[0].Ints[v])
		}
	}
	return nil
}

// verifyMerged fails where a community is no union of those of the level before.
func (h *hierarchy) verifyMerged(g *algorithms.Graph, community []int) error {
	if len(h.levels) == 0 {
		return nil
	}
	for v, c := range h.levels[len(h.levels)-1] {
		if community[v] != community[c] { // c is the first vertex of its community
			return answer.WrongAt(g, v, "level %d parts it from vertex %d", len(h.levels), g.IDs[c])
		}
	}
	return nil
}
