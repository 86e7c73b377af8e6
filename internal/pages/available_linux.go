package pages

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// Available is the bytes of memory that are free, or would be if the system gave up what it only caches; in a control
// group at most the group's limit.
func Available() (uint64, error) {
	most, err := Physical()
	if err != nil {
		return 0, err
	}
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var kibibytes uint64
		if n, _ := fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &kibibytes); n == 1 {
			return min(most, kibibytes<<10), nil
		}
	}
	return 0, errors.Join(lines.Err(), errors.New("/proc/meminfo does not tell MemAvailable"))
}
