package algorithms

import exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

// Type is the type of a state column, a constant or a result column.
type Type uint8

const (
	Float Type = iota // float64
	Int               // int64
	Bool
	// VertexID is an int64 that names a vertex by its `id` column: a constant that
	// the host resolves from a user id, or a result that it turns back into one.
	VertexID
)

// Reduce combines the messages that arrive at one vertex. Every one is associative and commutative.
type Reduce uint8

const (
	Sum Reduce = iota
	Prod
	Min
	Max
	And
	Or
)

// Edges says along which edges messages travel.
type Edges uint8

const (
	Forward   Edges = iota // from source to target
	Backward               // from target to source
	BothSides              // both ways, whatever the graph says (weak connectivity)
)

var edgesNames = [...]string{Forward: "forward", Backward: "backward", BothSides: "both"}

func (e Edges) String() string { return edgesNames[e] }

// Activity says which vertices send in the next iteration.
type Activity uint8

const (
	// Changed vertices send: those whose first state column was altered by Apply. In
	// the first iteration those send whose initial value is not the identity of Reduce.
	Changed Activity = iota
	// Always: every vertex sends in every iteration.
	Always
)

// Norm measures the change of the first state column over one iteration.
type Norm uint8

const (
	NoNorm Norm = iota // converged when no vertex is active
	L1                 // converged when the sum of |new-old| is at most Tolerance
	LInf               // converged when the largest |new-old| is at most Tolerance
)

// Order says which schedules leave a program's result right. A Monotone program may have a bound (MaxIterations,
// Exactly): devices then count its iterations, and do not let it settle.
type Order uint8

const (
	// Synchronous programs need every message of an iteration before Apply.
	Synchronous Order = iota
	// Accumulative programs may apply partial sums, each message once.
	Accumulative
	// Monotone programs may apply messages in any order, repeated, early or late.
	Monotone
)

// Expr is a CEL expression: its text, and its checked form once Check has run.
type Expr struct {
	Source  string
	Checked *exprpb.CheckedExpr
}

// State is one column of vertex state.
type State struct {
	Name string
	Type Type
	// Init gives the value before the first iteration, over id, out_degree,
	// in_degree, n, the properties and the constants.
	Init Expr
	// Apply gives the next value, over acc, self.*, n, agg.* and the constants.
	// Empty: the column never changes, except that the first column of a program
	// then combines itself with acc by Reduce.
	Apply Expr
}

// Aggregate is a sum over all vertices, taken before each iteration and visible to
// Apply as agg.NAME. PageRank's dangling mass is one.
type Aggregate struct {
	Name string
	Expr Expr // over self.*, n and the constants; a Float
}

// Constant is a named value that expressions may use.
type Constant struct {
	Name  string
	Type  Type
	Float float64 // of a Float
	Int   int64   // of an Int, a VertexID (its `id`) or a Bool (0 or 1)
}

// Property is a vertex property that expressions read: an Int or a Float.
type Property struct {
	Name string
	Type Type
	// Sums names an edge property: the values, of a Float, are then its sums over the edges that lead out of each vertex
	// (Graph.OutWeight), which the host finds: no device is told. Empty: they are a property of the graph.
	Sums string
}

// Column is the input that has the values.
func (p Property) Column() Column { return Column{Name: p.Name, Type: p.Type} }

// Program is a vertex program as data. One iteration, over all edges u→v with u active:
//
//	acc[v]  = Reduce over Process(src=u, edge, dst=v), from Reduce's identity
//	state[v] = Apply(acc[v], self=v) for every v
//
// It says nothing of devices or schedules. Names visible to Process are src.*, edge.*
// and dst.*; src, dst and self have the state columns, the Properties, and id, out_degree, in_degree.
// src is the vertex that sends and dst the one that receives, whatever Edges says.
// doc.go has the semantics in full.
type Program struct {
	Name      string
	State     []State // the first is the one that Activity, Norm and the default Apply speak of
	Process   Expr
	Reduce    Reduce
	Edges     Edges
	Activity  Activity
	Norm      Norm
	Tolerance float64
	// MaxIterations bounds the run; Exactly makes it the number of iterations, whatever
	// converges. 0: as many as the graph has vertices (see Bound).
	MaxIterations int
	Exactly       bool
	// Diverged says what it means that MaxIterations have passed without convergence, or
	// that values have overflowed, and makes that an error (see Divergence). Empty: the
	// last values are the result.
	Diverged string
	// Finite programs have no infinity and no NaN in a result: where sums come to one, that is an error, too, which
	// the host finds: no device is told.
	Finite     bool
	Order      Order
	Aggregates []Aggregate
	Constants  []Constant
	// Properties are vertex properties that expressions may read: src.NAME, dst.NAME and self.NAME; NAME in Init. Every
	// vertex has a value, and keeps it.
	Properties []Property
	// EdgeColumns are the edge properties that Process reads, each as a Float. Check fills it in.
	EdgeColumns []string
}
