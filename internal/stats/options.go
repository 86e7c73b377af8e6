package stats

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/internal/core"
)

// Options say what to look at. The zero value is what most programs want.
type Options struct {
	// Shares of the vertices that cores are to have; nil: core.Shares. All vertices are
	// looked at besides.
	Shares []float64
}

// OptionError is a share that is none, or too many of them.
type OptionError struct{ Reason string }

func (e *OptionError) Error() string { return "shares of the vertices for a core: " + e.Reason }

// mostShares is how many there is room for in the picture.
const mostShares = 9

// shares are those that are asked for by descending size, behind 1.
func (o Options) shares() ([]float64, error) {
	asked := o.Shares
	if asked == nil {
		asked = core.Shares
	}
	if len(asked) > mostShares {
		return nil, &OptionError{fmt.Sprintf("%d are too many; give at most %d", len(asked), mostShares)}
	}
	for _, share := range asked {
		if !(share > 0 && share <= 1) {
			return nil, &OptionError{fmt.Sprintf("%g %% is not above 0 %% and at most 100 %%", 100*share)}
		}
	}
	all := append([]float64{1}, asked...)
	slices.Sort(all)
	slices.Reverse(all)
	return slices.Compact(all), nil
}
