package confine

// Process is a program that is to run within walls.
type Process struct {
	Program   string
	Args, Env []string
	Loads     []string // files that it loads, or folders of its own: what lies beside or below belongs to it
	Sockets   string   // the folder in which it may listen
	Grants    Grants
}

// walls are all, in the order of reports.
var walls = []Wall{Environment, Privileges, Processes, Calls, Network, Signals, Files, Memory}

// Without is what is said of a process that runs without a stage, and why it does.
func Without(why string) []State {
	states := []State{environmentStands}
	for _, wall := range walls[1:] {
		states = append(states, State{Wall: wall, Why: why})
	}
	return states
}

// TogetherStates is what is said of a process without a stage, and why it has none, that is in a namespace.
func TogetherStates(why string) []State {
	states := Without(why)
	for i, s := range states {
		if s.Wall == Processes {
			states[i] = State{Wall: Processes, Stands: true, How: "children, which die with it"}
		}
	}
	return states
}

var environmentStands = State{Wall: Environment, Stands: true, How: "variables that are named, and its own"}
