package plugins

// ExtensionNearest settles in the order of values, the best first, so that a list that comes once is seldom needed
// again: in that order a vertex has the last value that it can get from who is there when it sends (Dijkstra, "A note
// on two problems in connexion with graphs", 1959).
//
// It suits programs that settle (ExtensionSettle), whose Reduce is Min or Max over one column of numbers, of whose
// first senders all hold the same value, not all vertices being among them, and whose messages are no better than what
// their senders hold. By Task.Nearest the host asks for it, and Plan.Nearest says that the device does. Each Settle is
// then done so: of the active vertices of the set, one with the best value sends next, until none is left. Rounds does
// not count. So each sends once in a command, but where an edge makes a message better than its sender's value: then
// vertices send more often, and the result is the same. A command may also end when as many have sent as the graph has
// vertices. Active vertices that are not of the set stay so. A device that ends at the first of them, as all did once,
// is right as well, but is sent lists that it does not use.
//
// The host may leave chunks resident from one Settle to the next, each with the lists of a few vertices of the
// whole graph: at most one that is resident has a list of a vertex and a column.
const ExtensionNearest Extension = "nearest"
