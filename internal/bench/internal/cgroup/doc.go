// Package cgroup holds a process and its children to an amount of memory by a control group.
package cgroup
