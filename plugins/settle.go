package plugins

// ExtensionSettle brings parts of a graph to local convergence, one after the other, so that
// a chunk is worth its transfer (Sabet et al., "Subway", EuroSys'20, section 4.3).
//
// It suits programs whose messages may be applied in any order (Monotone, with the default
// Apply) or in part now and the rest later (Accumulative). By Task.Settle the host says that it
// would drive the program by Settle alone, not by Step, Apply and Iterate (of intervals: by all but Iterate). Compile
// answers KindUnsupported to programs that the device cannot settle, else with a plan that says Settles. A program that
// may have no result for cycles (Diverged) comes without that where the host knows that no cycle is reached.
//
// A Synchronous program is settled in topological order alone: when a set settles, all vertices that lead to one of it
// have settled, or are of it too, and no edges of it make a cycle. Each vertex of the set sends once, when all of these
// have that lead to it. It suits programs all of whose vertices send a column of their own, until nothing changes,
// which becomes the sum of what comes and a term of the vertex. Init then makes those active whose term is above 0,
// whatever the initial value; below 0 it is KindUnsupported. A vertex that has not sent holds its term and what has
// come so far.
const ExtensionSettle Extension = "settle"

// Settle lets the active vertices of a set send along the resident chunks, which hold all
// their edges; At is the set, a bitmap like Layout.Active. A vertex that has sent is active no
// more. A vertex that is changed becomes active and, if it is of the set, sends in the next of
// Rounds rounds. Settle ends when no vertex of the set is active. Its Iteration counts
// rounds, and has Converged when no vertex is active anywhere. It needs a Plan that says
// Settles.
const Settle Op = Call + 1
