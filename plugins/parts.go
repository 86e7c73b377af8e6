package plugins

// ExtensionParts has several sessions, on one device or several, compute one program, each
// along some of the edges: a dense core on one, the rest on the other. Task.Part says so; it
// comes with Restorable. Each session knows the state of all vertices. There are two ways.
//
// In step, for every program: one session applies. Its columns may be given to the others as
// they are, which only read them, and are told by Restore, after Init and after each Apply, that
// they have changed. What came along their edges they Gather into a column; the first session is
// told to Deliver that to itself.
//
// Settling, for programs that are Monotone with the default Apply: each session has columns
// of its own, and none waits. Deliver reads the other's first state column where it lies, while
// that may be written. A column has one writer and starts at a multiple of 64 bytes, so
// one aligned load of 8 bytes (of a Bool column, of one byte) is a value that was there.
//
// The result is that of one session with all edges: bit for bit where messages are compared
// (Min, Max, And, Or) and, in step, after as many iterations. Sums and products of doubles
// are taken in another order, the part's and then the other's, and may differ in the last
// bits, as may the iteration in which a tolerance is met. The same cut gives the same bits again.
// A device that leaves Plan.Parts out computes alone.
const ExtensionParts Extension = "parts"

const (
	// Gather comes in place of Apply. What Steps have brought since Init, Restore, Apply or the
	// last Gather goes to At, a column of accumulators, of the type of acc, with the identity of
	// Reduce where nothing came; then it is forgotten. Among are the vertices that edges of the
	// session lead to, and perhaps others; of the rest the column may be left as it is. A message
	// that the default Apply would take no notice of may be left out. State and active set stay.
	// It needs a Plan that says Parts.
	Gather Op = Restore + 1
	// Deliver combines what stands in At of the vertices Among with the accumulators, as if it
	// had come along edges. It needs a Plan that says Parts.
	//
	// Where the task steps, it comes before Apply, and At is what another session has gathered.
	//
	// Where it settles, At is the first state column of another session, which may write it at the
	// same time. A vertex that it improves has the new state at once, and is active. The answer has
	// an Iteration as that of Settle. A later Restore may make more vertices active than were, to
	// send anew, of those whose first column is not the identity of Reduce: that is how a session
	// goes on alone, once it has been given the others' edges.
	Deliver Op = Gather + 1
)
