package host

import "github.com/penstock-db/penstock/plugins"

// defaultBudget leaves a device room for what else it holds, and this machine half of
// its memory for everything else.
func defaultBudget(d plugins.Description) (uint64, error) {
	if d.Memory > 0 {
		return d.Memory / 8 * 7, nil
	}
	physical, err := physicalMemory()
	return physical / 2, err
}
