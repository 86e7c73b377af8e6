package engine

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
)

// newShare is nil where the program has all vertices.
func newShare(task plugins.Task) *kernels.Share {
	if task.Share == nil {
		return nil
	}
	return &kernels.Share{From: int(task.Share.Base), To: int(task.Share.End())}
}
