package report

// Wall says of a wall around a device's process whether it stands. A device that runs without one may do what its host
// may.
type Wall struct {
	Device string `json:"device"`
	Wall   string `json:"wall"` // environment, privileges, processes, system calls, network, signals
	Stands bool   `json:"stands"`
	How    string `json:"how,omitempty"` // by what, and how far
	Why    string `json:"why,omitempty"` // it does not stand
}
