package failure

import (
	"fmt"

	"github.com/agnivade/levenshtein"
)

// didYouMean is " (did you mean …?)" for the nearest known name, or nothing when none is near.
func didYouMean(name string, known []string) string {
	best, distance := "", len(name)/2+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(name, k); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
