// Package confine puts walls around a plugin process: what it may see of the environment, the files, the network, other
// processes, and how much it may take. All stand by default; what a kernel lacks is told, see State.
//
//	Process ──▶ orders ──▶ stage (the host's own program) ──exec──▶ plugin, within its walls
//	              results of the stage's steps ──▶ States ──▶ report of the run, plugin doctor
//
// A plugin is one process: it cannot make another, so that nothing of it is left when that one has ended, however it
// ends. It opens nothing of the host's; what it is to read or write, the host hands over, open (package handover).
package confine

// Wall is a wall around a plugin.
type Wall string

// The walls, in the order of reports.
const (
	Environment Wall = "environment"  // variables that are named, and no others
	Privileges  Wall = "privileges"   // no capabilities, and no program that brings more
	Processes   Wall = "processes"    // one process, which dies with the host
	Calls       Wall = "system calls" // none that a computation does not need
	Network     Wall = "network"      // no socket but the one that the host connects to
	Signals     Wall = "signals"      // none to others
	Files       Wall = "files"        // its own and the system's libraries to read, none to write
	Memory      Wall = "memory"       // of its own no more than budget and program
)

// Grants are what a plugin may do beyond what every plugin may. The zero value is the default.
type Grants struct {
	Network   bool     `json:"network,omitempty"`   // sockets of the internet, and connections to others
	Processes bool     `json:"processes,omitempty"` // children, which end with it
	Read      []string `json:"read,omitempty"`      // files, or folders with all that is below; also to run
	Write     []string `json:"write,omitempty"`     // likewise, also to make and to remove
	Hardware  []string `json:"hardware,omitempty"`  // kinds of it, see Hardware
}

// AnyHardware is granted to programs of which nobody has said which they use: who starts them wants them to compute.
func AnyHardware() Grants { return Grants{Hardware: Hardware()} }

// State says of a wall whether it stands around a process.
type State struct {
	Wall   Wall   `json:"wall"`
	Stands bool   `json:"stands"`
	How    string `json:"how,omitempty"` // by what, and how far
	Why    string `json:"why,omitempty"` // it does not stand
}
