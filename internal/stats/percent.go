package stats

import (
	"fmt"
	"math"
)

// Percent has as many digits as tell a share from none and from all. Of entries, there may be more than there are
// places.
func Percent(share float64) string {
	percent, rest := 100*share, 100*(1-share)
	switch {
	case percent == 0 || rest == 0:
		return fmt.Sprintf("%g %%", percent)
	case percent < 10:
		return fmt.Sprintf("%.3g %%", percent)
	case 0 < rest && rest < 10:
		return fmt.Sprintf("%.*f %%", 2-int(math.Floor(math.Log10(rest))), percent)
	}
	return fmt.Sprintf("%.1f %%", percent)
}
