package confine

import (
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/penstock-db/penstock/internal/confine/cgroup"
)

// hold is a control group that holds a process, and its children, to what they may have. It is made while the process
// starts: to join one takes the kernel 10 to 30 ms now and then, for which nobody has to wait but who gives it work.
type hold struct {
	ready chan struct{} // closed when what is below is so
	group *cgroup.Group // nil: there is none
	how   string        // in words: which, or why there is none
}

// holdOf has a process join a group of its own.
func holdOf(of Watched) *hold {
	h := &hold{ready: make(chan struct{})}
	if of.Free {
		close(h.ready)
		return h
	}
	go func() {
		defer close(h.ready)
		place, err := cgroup.Own()
		if err == nil {
			h.group, err = place.Make(mostTasks())
		}
		if err == nil {
			if err = join(h.group, of); err == nil {
				h.how = "a control group (" + place.Version() + "), and "
				return
			}
			err = errors.Join(err, h.group.Remove())
			h.group = nil
		}
		h.how = fmt.Sprintf("no control group (%v), but ", err)
	}()
	return h
}

// join has a process join a group with all its children: until there is none that was not told to. What a process
// makes that has joined has joined as well.
func join(group *cgroup.Group, of Watched) error {
	var joined []int
	for {
		all := []int{of.PID}
		if of.Family {
			all = family(of.PID)
		}
		strangers := slices.DeleteFunc(all, func(pid int) bool { return slices.Contains(joined, pid) })
		if len(strangers) == 0 {
			return nil
		}
		for _, pid := range strangers {
			if err := group.Join(pid); err != nil && (pid == of.PID || !errors.Is(err, syscall.ESRCH)) {
				return err
			}
		}
		joined = append(joined, strangers...)
	}
}

// limit has the group have so many bytes; 0: any. Where the kernel refuses that there is the watch.
func (h *hold) limit(bytes uint64) {
	<-h.ready
	if h.group != nil {
		_ = h.group.Limit(bytes)
	}
}

// ended is what the group says.
func (h *hold) ended() cgroup.Ended {
	<-h.ready
	if h.group == nil {
		return cgroup.Ended{}
	}
	return h.group.Ended()
}

// remove ends what is left in the group, and removes it.
func (h *hold) remove() {
	<-h.ready
	if h.group != nil {
		_ = h.group.Remove() // what is left is removed by who makes a group next
	}
}
