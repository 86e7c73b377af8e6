package algorithms

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest is the candidate that name is most likely a slip of, or "". Of qualified
// names only those with the same qualifier are considered.
func nearest(name string, candidates []string) string {
	qualifier, last := cutLast(name)
	best, distance := "", max(min(2, len(last)/2), len(last)/4)+1
	for _, c := range candidates {
		q, l := cutLast(c)
		if q != qualifier {
			continue
		}
		if d := slips(strings.ToLower(last), strings.ToLower(l)); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// didYouMean is a half-sentence that offers the nearest candidate, or "".
func didYouMean(name string, candidates []string) string {
	if best := nearest(name, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// slips is the number of slips that turn a into b: letters added, lost or changed; letters
// in another order are one.
func slips(a, b string) int {
	if slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b)))) {
		return 1
	}
	return levenshtein.ComputeDistance(a, b)
}

// cutLast splits a.b.c into "a.b." and "c".
func cutLast(name string) (qualifier, last string) {
	at := strings.LastIndexByte(name, '.') + 1
	return name[:at], name[at:]
}
