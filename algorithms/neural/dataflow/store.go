package dataflow

// What a stage computes is gone with the interval, unless it is stored. What another stage reads is stored, or made
// again there, element by element of what is stored. Of all ways to do so this one stores the fewest numbers:
//
//  1. What edges read, and what is wanted, is stored. What is not made element by element cannot be made again, for
//     that takes edges, or products.
//  2. Of the rest either a value is stored, or all that it is made of is there. What is given, and parameters, are
//     there anyway. So on each way from a reader in another stage to what cannot be made again lies something that is
//     stored.
//  3. That is a cut of a network whose nodes are values, of the capacity of their width. The least cut is as wide as
//     the most that flows through it (Ford and Fulkerson, 1956). Of several, that next to the readers makes the fewest
//     values again.

// stored finds the vertex values that passes store.
func (s *staging) stored(values, roots []*Value) map[*Value]bool {
	read, must := map[*Value]bool{}, map[*Value]bool{} // in another pass; stored in any case
	for _, r := range roots {
		must[r] = r.Place == Vertices && !s.given[r]
	}
	for _, v := range values {
		at, placed := s.pass[v]
		if !placed {
			continue
		}
		s.reads(v, s.list[at].End, func(x *Value, by reader) {
			if x.Place == Vertices && s.pass[x] != at { // the far end of an edge is of another pass
				read[x] = true
				must[x] = must[x] || by != byRow
			}
		})
	}
	c := newCut()
	for _, v := range values {
		if must[v] || read[v] {
			c.readers = append(c.readers, v)
		}
		c.made[v] = !must[v] && v.Op.IsElementwise()
		for _, a := range v.Args {
			if _, placed := s.pass[a]; placed && a.Place == Vertices {
				c.join(v, a)
			}
		}
	}
	return c.least()
}

// cut is what flows from readers, through values, to what they are made of, as far as that can be made again.
type cut struct {
	readers []*Value            // what is read in another pass, or stored in any case
	made    map[*Value]bool     // can be made again
	of, by  map[*Value][]*Value // of what, and what of it
	through map[*Value]int      // what flows through a value, at most its width
	between map[[2]*Value]int   // and from a value to one that it is made of
}

func newCut() *cut {
	return &cut{made: map[*Value]bool{}, of: map[*Value][]*Value{}, by: map[*Value][]*Value{}, through: map[*Value]int{},
		between: map[[2]*Value]int{}}
}

// join says that v is made of a.
func (c *cut) join(v, a *Value) { c.of[v], c.by[a] = append(c.of[v], a), append(c.by[a], v) }

// side is a value, before its capacity or behind it.
type side struct {
	v      *Value
	behind bool
}

// least is the cut of the least width that lies next to the readers.
func (c *cut) least() map[*Value]bool {
	reached := map[side]bool{}
	for flows := 1; flows > 0; {
		clear(reached)
		flows = 0
		for _, v := range c.readers {
			flows += c.augment(side{v, false}, v.Width, reached)
		}
	}
	least := map[*Value]bool{}
	for at := range reached {
		if !at.behind && !reached[side{at.v, true}] {
			least[at.v] = true
		}
	}
	return least
}

// augment lets more flow, at most so much, to a value that cannot be made again, and tells how much. It does not look
// twice at what it has reached.
func (c *cut) augment(at side, most int, reached map[side]bool) (flows int) {
	if reached[at] || most == 0 {
		return 0
	}
	reached[at] = true
	v := at.v
	switch {
	case at.behind && !c.made[v]:
		return most
	case at.behind:
		for _, a := range c.of[v] {
			if flows = c.augment(side{a, false}, most, reached); flows > 0 {
				c.between[[2]*Value{v, a}] += flows
				return flows
			}
		}
		flows = c.augment(side{v, false}, min(most, c.through[v]), reached) // let less flow through v
		c.through[v] -= flows
		return flows
	}
	if flows = c.augment(side{v, true}, min(most, v.Width-c.through[v]), reached); flows > 0 {
		c.through[v] += flows
		return flows
	}
	for _, u := range c.by[v] { // let less flow from u
		way := [2]*Value{u, v}
		if flows = c.augment(side{u, true}, min(most, c.between[way]), reached); flows > 0 {
			c.between[way] -= flows
			return flows
		}
	}
	return 0
}
