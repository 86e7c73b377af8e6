package report

// Wall says of a wall around a device's process whether it stands. A device that runs without one may do what its host
// may.
type Wall struct {
	Device string `json:"device"`
	Wall   string `json:"wall"` // environment, privileges, processes, system calls, network, signals, files, memory
	Stands bool   `json:"stands"`
	How    string `json:"how,omitempty"` // by what, and how far
	Why    string `json:"why,omitempty"` // it does not stand
}

// ProcessMemory is what a device's process took of the machine's memory, as the kernel counts it, in bytes. A device
// that was there before the run may have taken it in an earlier one.
type ProcessMemory struct {
	Device string `json:"device"`
	// Limit is of memory of its own, beyond which it would have been killed: the budget, and what is its program's. 0:
	// there was none.
	Limit uint64 `json:"limit,omitempty"`
	// Own is the most that was seen of memory that it had allocated: neither the arena nor files.
	Own uint64 `json:"own"`
	// Resident is the most that it had in memory at a time, what it shares and pages of files among it.
	Resident uint64 `json:"resident"`
}
