package confine

import (
	"fmt"
	"runtime"
)

// mostTasks is how many threads a plugin may have, with those of its children: far more than any computes with, and far
// fewer than a machine has numbers for.
func mostTasks() uint64 { return uint64(max(4096, 16*runtime.NumCPU())) }

// TasksError is a plugin that ended because it had more processes and threads than it may, or was refused those.
type TasksError struct{ Most, Had uint64 }

func (e *TasksError) Error() string {
	if e.Had <= e.Most {
		return fmt.Sprintf("it wanted more processes and threads than the %d that it may have", e.Most)
	}
	return fmt.Sprintf("it had %d processes and threads, more than the %d that it may have, and was killed", e.Had, e.Most)
}
