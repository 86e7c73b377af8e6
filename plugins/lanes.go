package plugins

import "fmt"

// ExtensionLanes runs one program for several sets of constants at once, as for several
// vertices to start from. Description.Lanes is how many sets a session takes. In lane i the
// constants of Task.Lanes[i] take the place of those of the same name (Program.With). The state
// columns of lane 0, then those of lane 1 … follow the inputs in Layout.Columns, by the names
// that LaneColumn gives. Active is the vertices that are active in some lane, Change the largest
// of all lanes, and Converged says that all lanes are.
//
// Lane by lane the result is that of a run by itself. A lane that has converged does no more,
// or goes on as far as that is no harm: of a program that ends by a tolerance, as long as the
// others take. Settle, Restorable, ActiveRows, Share and Part do not come with it; the program is
// driven by Init and Iterate.
const ExtensionLanes Extension = "lanes"

// LaneColumn is the name of a state column in a lane.
func LaneColumn(name string, lane int) string { return fmt.Sprintf("%s#%d", name, lane) }
