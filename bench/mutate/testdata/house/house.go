// Package house has mistakes that its tests notice, and others.
package house

// Rooms is tested.
func Rooms(floors, each int) int { return floors * each }

// Large is tested but for its border.
func Large(rooms int) bool { return rooms > 5 }

// Paint is not tested.
func Paint(walls []string) {
	for i := range walls {
		walls[i] = "white"
	}
}

// Count never ends when its step is left out.
func Count(n int) int {
	total := 0
	for total < n {
		total++
	}
	return total
}
