package memory

import (
	"testing"

	"pgregory.net/rapid"
)

// Parts never overlap, lie within, and are refused only where no hole is large enough; once all are given back there is
// one hole.
func TestSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const cells = 40
		s := NewSpace(64 * cells)
		var owner [cells]int // 0: nobody
		parts := map[int]hole{}
		for step := 1; step < 60; step++ {
			if len(parts) > 0 && rapid.Bool().Draw(t, "give") {
				number := rapid.SampledFrom(numbers(parts)).Draw(t, "number")
				s.Give(parts[number].at, parts[number].bytes)
				mark(&owner, parts[number], 0)
				delete(parts, number)
				continue
			}
			want := rapid.Uint64Range(1, cells/2).Draw(t, "cells")
			at, ok := s.Take(64 * want)
			if ok != (longest(owner[:]) >= want) {
				t.Fatalf("%d cells of %v: %v", want, owner, ok)
			}
			if ok {
				parts[step] = hole{at, 64 * want}
				for _, before := range owner[at/64 : at/64+want] {
					if before != 0 {
						t.Fatalf("%d cells at %d of %v are taken", want, at/64, owner)
					}
				}
				mark(&owner, parts[step], step)
			}
		}
		for _, part := range parts {
			s.Give(part.at, part.bytes)
		}
		if len(s.holes) != 1 || s.holes[0] != (hole{0, 64 * cells}) {
			t.Fatalf("in the end there are %v", s.holes)
		}
	})
}

func numbers(parts map[int]hole) (all []int) {
	for number := range 60 {
		if _, ok := parts[number]; ok {
			all = append(all, number)
		}
	}
	return all
}

func mark(owner *[40]int, part hole, number int) {
	for i := part.at / 64; i < (part.at+part.bytes)/64; i++ {
		owner[i] = number
	}
}

// longest is how many cells in a row nobody has.
func longest(owner []int) (most uint64) {
	var row uint64
	for _, number := range owner {
		if row++; number != 0 {
			row = 0
		}
		most = max(most, row)
	}
	return most
}
