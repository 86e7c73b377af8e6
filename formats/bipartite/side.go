package bipartite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/formats"
)

// side is the vertices of one type.
type side struct {
	Side
	bytes, limit int64 // what is held of it, and may be; a limit of 0: as much as there is
	met          int64 // integer ids

	near  []uint32          // by integer id: its number plus one; 0: there is none
	far   map[int64]uint32  // the same of ids that lie too far apart
	named map[string]uint32 // the same of names
	names []string          // as they were met

	ints  []int64  // by number: the integer ids; after them come the names
	texts []string // by number: what the graph calls them
	same  []string // the label, as often as a batch has rows
}

// A vertex takes so much beside its text: an entry of ints and of texts. One that is far, or named, takes an entry of a
// map beside, and of names.
const perVertex, perEntry = 8 + 16, 70

func newSide(s Side, limit int64) *side {
	return &side{Side: s, limit: limit, far: map[int64]uint32{}, named: map[string]uint32{}}
}

func (s *side) len() int { return len(s.texts) }

// An integer below always is near whatever there is, and else with apart ids of near for each that has been met.
const always, apart = 1 << 16, 16

// meet notes ids.
func (s *side) meet(ids formats.IDs, where func(int) formats.Position) error {
	if s.Rows != nil {
		return nil // the rows say which vertices there are
	}
	for i, n := range ids.Ints {
		if ids.Strings != nil && ids.Strings[i] != "" {
			s.meetName(ids.Strings[i])
		} else if n >= int64(len(s.near)) || s.near[n] == 0 {
			s.meetInteger(n)
		}
		if s.limit > 0 && s.bytes > s.limit {
			return s.tooMany(where(i))
		}
	}
	return nil
}

func (s *side) meetName(name string) {
	if _, known := s.named[name]; known {
		return
	}
	name = string([]byte(name)) // the batch's own may be part of a larger text
	s.named[name] = 1
	s.names = append(s.names, name)
	s.bytes += perVertex + perEntry + int64(len(name)) + s.textBytes(name)
}

func (s *side) meetInteger(n int64) {
	if s.far[n] != 0 {
		return
	}
	s.met++
	s.bytes += perVertex + s.textBytes(strconv.FormatInt(n, 10))
	if n >= int64(len(s.near)) {
		if n >= max(always, apart*s.met) {
			s.far[n] = 1
			s.bytes += perEntry
			return
		}
		before := cap(s.near)
		s.near = slices.Grow(s.near, int(n)+1-len(s.near))
		s.near = s.near[:cap(s.near)]
		s.bytes += 4 * int64(cap(s.near)-before)
	}
	s.near[n] = 1
}

// textBytes is how long the id of a vertex in the graph is.
func (s *side) textBytes(said string) int64 { return int64(len(s.Label) + 1 + len(said)) }

func (s *side) tooMany(at formats.Position) error {
	return formats.TooLarge(at, "ids of "+s.Label, s.limit, "bytes", "fewer vertices, or more memory (--memory)")
}

// number numbers the ids that were met.
func (s *side) number() {
	if s.Rows != nil {
		return
	}
	for n, met := range s.near {
		if met != 0 {
			s.ints = append(s.ints, int64(n))
		}
	}
	s.ints = append(s.ints, slices.Collect(maps.Keys(s.far))...)
	slices.Sort(s.ints)
	for i, n := range s.ints {
		if n < int64(len(s.near)) && s.near[n] != 0 {
			s.near[n] = uint32(i + 1)
		} else {
			s.far[n] = uint32(i + 1)
		}
		s.texts = append(s.texts, s.text(strconv.FormatInt(n, 10)))
	}
	for _, name := range s.names {
		s.texts = append(s.texts, s.text(name))
		s.named[name] = uint32(len(s.texts))
	}
}

// text is what the graph calls a vertex.
func (s *side) text(said string) string { return s.Label + ":" + said }

// said is what the file calls a vertex.
func (s *side) said(i int) string { return s.texts[i][len(s.Label)+1:] }

// grow adds the vertex of a further row.
func (s *side) grow(at formats.Position) error {
	n := int64(len(s.texts) + 1)
	s.ints = append(s.ints, n)
	s.texts = append(s.texts, s.text(strconv.FormatInt(n, 10)))
	if s.bytes += perVertex + int64(len(s.texts[n-1])); s.limit > 0 && s.bytes > s.limit {
		return s.tooMany(at)
	}
	return nil
}

// find puts the ids in the graph of ids in the file into to, and returns their numbers, those of this side from first
// on, in numbers' memory.
func (s *side) find(ids formats.IDs, to *formats.IDs, first int64, numbers []int64, where func(int) formats.Position) (
	[]int64, error) {
	numbers, to.Ints, to.Strings = numbers[:0], to.Ints[:0], to.Strings[:0]
	for i, n := range ids.Ints {
		name := ""
		if ids.Strings != nil {
			name = ids.Strings[i]
		}
		at, ok := s.at(n, name)
		if !ok {
			return nil, s.unknown(ids.Text(i), where(i))
		}
		numbers = append(numbers, first+int64(at))
		to.Ints = append(to.Ints, 0)
		to.Strings = append(to.Strings, s.texts[at])
	}
	return numbers, nil
}

// at is the number of a vertex by what the file calls it.
func (s *side) at(n int64, name string) (int, bool) {
	if s.Rows != nil {
		return int(n - 1), name == "" && n >= 1 && n <= int64(len(s.texts))
	}
	number := uint32(0)
	if name != "" {
		number = s.named[name]
	} else if n < int64(len(s.near)) {
		number = s.near[n]
	}
	if number == 0 && name == "" {
		number = s.far[n]
	}
	return int(number) - 1, number != 0
}

// unknown is the error for an id of no vertex.
func (s *side) unknown(id string, at formats.Position) error {
	if s.Rows != nil {
		return &formats.ParseError{Position: at, Found: fmt.Sprintf("%s %s", s.Label, id),
			Expected: fmt.Sprintf("one of 1 to %d", len(s.texts))}
	}
	return &formats.ParseError{Position: at, Found: fmt.Sprintf("%s %s, which was not there before", s.Label, id),
		Expected: "a file that nobody changes while it is read twice"}
}

// complete refuses a side without vertices.
func (s *side) complete(file string) error {
	if len(s.texts) > 0 {
		return nil
	}
	return &formats.ParseError{Position: formats.Position{File: file}, Found: "no " + s.Label, Expected: "at least one"}
}

// labels is the label, for each of so many rows.
func (s *side) labels(rows int) []string {
	for len(s.same) < rows {
		s.same = append(s.same, s.Label)
	}
	return s.same[:rows]
}
