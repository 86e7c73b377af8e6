package host

import (
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins"
)

// budgetOn is what the run may take of a device's memory: what was asked for, as far as there
// is so much; by default, so much that room is left for what else the device holds, or
// half of this machine for everything else.
func (r *run) budgetOn(d plugins.Description) (uint64, error) {
	switch asked := r.req.DeviceMemory; {
	case d.Memory > 0 && asked > 0:
		return min(asked, d.Memory), nil
	case d.Memory > 0:
		return d.Memory / 8 * 7, nil
	case asked > 0:
		return asked, nil
	case r.engine != nil && r.engine.machine > 0:
		return r.engine.machine / 2, nil
	}
	physical, err := pages.Physical()
	return physical / 2, err
}
