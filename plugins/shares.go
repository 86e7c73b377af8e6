package plugins

// ExtensionShares has several devices compute one program, each the state of some vertices.
// Task.Share is the interval of vertices that is the session's; it begins and ends at multiples of 64,
// the vertices of a word of Layout.Active. It comes with Restorable.
//
// The session knows the state of all vertices, from which messages are sent. What is sent to
// vertices of others it may drop. Apply leaves the state and the active bits of others as it
// likes, counts none of them and takes no notice of their change. After each Apply the host
// puts in place what the others have, adds up what is active and what has changed, and sends
// Restore with the Iteration of all. Init and Restore are of all vertices nevertheless.
//
// With Task.Settle, of programs that are Monotone with the default Apply, a Settle changes the session's own vertices
// alone, for it has no other edges. Then the host puts in place what of the others has changed, has whoever is active
// in some session, or has changed, be active in all, and sends Restore.
//
// With Task.Settle, of programs that are Accumulative and tell what a vertex has released (Program.Released), the
// session releases what has come to its own vertices, and sends that along its own edges. Then the host puts in that
// column what the others have released since, and their first column in place, has whoever is active in some session,
// or has released something, be active in all, and sends Restore. What has come to a vertex and waits there stays. A
// device that does not do that answers KindUnsupported.
//
// Where the plan says Shares, messages go from the rows of chunks to their columns if it says
// ActiveRows too, else from columns to rows. It is sent the edges that lead to its share, and no others but for these:
// where sums are pulled, a chunk may begin with rows of others, fewer than chunk.SumEdges edges, so that
// sums have the same bits as those of the whole chunk. A device that leaves Shares out computes alone.
const ExtensionShares Extension = "shares"
