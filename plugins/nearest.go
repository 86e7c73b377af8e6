package plugins

// ExtensionNearest settles in the order of values, the best first, so that a list that comes once is needed once: in
// that order a vertex has its last value when it sends (Dijkstra, "A note on two problems in connexion with graphs",
// 1959).
//
// It suits programs that settle (ExtensionSettle), whose Reduce is Min or Max over one column of numbers, of whose
// first senders all hold the same value, not all vertices being among them, and whose messages are no better than what
// their senders hold. By Task.Nearest the host asks for it, and Plan.Nearest says that the device does. Each Settle is
// then done so: of all active vertices, those of the set and others, one with the best value comes next. One of the set
// sends; another ends the command, once those have sent that are of the set and as good. Rounds does not count. What
// the set sends on is so as good as if all lists were there, but where an edge makes a message better than its sender's
// value: then vertices send more often, and the result is the same. A command may also end when as many have sent as
// the graph has vertices.
//
// The host may leave chunks resident from one Settle to the next, each with the lists of a few vertices of the
// whole graph: at most one that is resident has a list of a vertex and a column.
const ExtensionNearest Extension = "nearest"
