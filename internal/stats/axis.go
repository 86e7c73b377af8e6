package stats

import (
	"fmt"
	"math"
)

// axis leads from one power of ten to another, over so many units of the picture.
type axis struct{ low, high, size int }

// newAxis has room for values from least to most, which are positive.
func newAxis(least, most float64, size int) axis {
	low, high := int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(most)))
	return axis{low, max(high, low+1), size}
}

// at is where a value is, from the axis' beginning on.
func (a axis) at(value float64) int {
	share := (math.Log10(value) - float64(a.low)) / float64(a.high-a.low)
	return int(math.Round(share * float64(a.size)))
}

// powers are those of ten, as far apart that there is room for their texts.
func (a axis) powers() (all []tick) {
	step := (a.high - a.low + mostPowers - 1) / mostPowers
	for power := a.low; power <= a.high; power += step {
		all = append(all, tick{a.at(math.Pow10(power)), powerText(power)})
	}
	return all
}

const mostPowers = 6

func powerText(power int) string {
	if power >= 0 && power <= 3 {
		return fmt.Sprint(math.Pow10(power))
	}
	return fmt.Sprintf("1e%d", power)
}
