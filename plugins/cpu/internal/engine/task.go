package engine

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/shape"
)

// checkPart refuses a task that has a part of the edges and cannot be told of the others.
func checkPart(task plugins.Task) error {
	if task.Part && (!task.Restorable || task.Share != nil) {
		return plugins.Errorf(plugins.KindInvalid, "a part needs a task that is restorable and has no share")
	}
	return nil
}

// newShare is nil where the program has all vertices.
func newShare(task plugins.Task, n int) (*kernels.Share, error) {
	i := task.Share
	switch {
	case i == nil:
		return nil, nil
	case !task.Restorable || task.Settle:
		return nil, plugins.Errorf(plugins.KindInvalid, "a share needs a task that is restorable and does not settle")
	case !isShare(*i, uint64(n)):
		return nil, plugins.Errorf(plugins.KindInvalid, "a share of %d vertices from %d on, of %d: it begins and ends at multiples of 64", i.Count, i.Base, n)
	}
	return &kernels.Share{From: int(i.Base), To: int(i.End())}, nil
}

func isShare(i chunk.Interval, n uint64) bool {
	return i.Base <= n && i.Count <= n-i.Base && i.Base%64 == 0 && (i.End()%64 == 0 || i.End() == n)
}

// checkTask refuses what this device does not run.
func checkTask(task plugins.Task) error {
	if len(task.Lanes) > 0 {
		return plugins.Errorf(plugins.KindUnsupported, "program %q in %d lanes: the cpu device runs one at a time", task.Program.Name, len(task.Lanes))
	}
	if err := shape.Checked(task.Program); err != nil {
		return err
	}
	return checkPart(task)
}
