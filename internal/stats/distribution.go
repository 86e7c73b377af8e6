package stats

import (
	"cmp"
	"maps"
	"slices"
)

// Distribution is how many vertices have which degree.
type Distribution struct {
	Name   string  `json:"name"` // "degree", "out-degree" or "in-degree"
	Mean   float64 `json:"mean"`
	Median uint32  `json:"median"`
	Counts []Count `json:"counts"` // by ascending degree; none is empty
}

// Count is how many vertices have a degree, and how many that or a higher one.
type Count struct {
	Degree   uint32 `json:"degree"`
	Vertices uint64 `json:"vertices"`
	AtLeast  uint64 `json:"at_least"`
}

func newDistribution(name string, degrees []uint32) Distribution {
	byDegree, sum := map[uint32]uint64{}, uint64(0)
	for _, degree := range degrees {
		byDegree[degree]++
		sum += uint64(degree)
	}
	d := Distribution{Name: name, Mean: ratio(sum, uint64(len(degrees)))}
	left := uint64(len(degrees))
	for _, degree := range slices.Sorted(maps.Keys(byDegree)) {
		d.Counts = append(d.Counts, Count{degree, byDegree[degree], left})
		left -= byDegree[degree]
	}
	d.Median = d.at(uint64(len(degrees)) / 2)
	return d
}

// at is the degree of the vertex in that place when they stand by ascending degree.
func (d Distribution) at(place uint64) uint32 {
	for _, c := range d.Counts {
		if place < c.Vertices {
			return c.Degree
		}
		place -= c.Vertices
	}
	return 0
}

// AtLeast is how many vertices have this degree or a higher one.
func (d Distribution) AtLeast(degree uint64) uint64 {
	i, _ := slices.BinarySearchFunc(d.Counts, degree,
		func(c Count, degree uint64) int { return cmp.Compare(uint64(c.Degree), degree) })
	if i == len(d.Counts) {
		return 0
	}
	return d.Counts[i].AtLeast
}

// Largest is the highest degree.
func (d Distribution) Largest() uint32 {
	if len(d.Counts) == 0 {
		return 0
	}
	return d.Counts[len(d.Counts)-1].Degree
}
