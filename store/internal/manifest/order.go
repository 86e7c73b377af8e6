package manifest

import "fmt"

// Order is how vertices get their dense ids, and so which of them lie beside one
// another in memory. Nobody sees it but by the time that a run takes.
type Order string

const (
	// OrderAuto takes OrderDegree for large graphs of skewed degrees, else OrderNone; see chooseOrder.
	OrderAuto Order = "auto"
	// OrderNone is the order of loading: declared nodes as they were declared, then the
	// others by ascending id.
	OrderNone Order = "none"
	// OrderDegree is by descending degree (of a directed graph, the sum of both), ties
	// in order of loading. The vertices that most edges lead to then share few cache lines.
	OrderDegree Order = "degree"
	// OrderBFS is breadth-first, along edges of either direction, from the vertex of the
	// highest degree of each component, these by descending degree; neighbors in order
	// of loading. Cuthill and McKee, "Reducing the bandwidth of sparse symmetric
	// matrices", ACM 1969, begin at a vertex of low degree and take neighbors by
	// ascending degree. It is for graphs of even degrees whose ids say nothing of where
	// a vertex lies; ids of published road networks mostly do.
	OrderBFS Order = "bfs"
	// OrderRabbit puts communities, and the communities within them, on consecutive
	// ids (package ordering). It is for graphs that have such, web graphs and social networks,
	// whose ids do not follow them.
	OrderRabbit Order = "rabbit"
)

// ParseOrder is the order of that name.
//
// Errors: *OrderError.
func ParseOrder(name string) (Order, error) {
	switch o := Order(name); o {
	case OrderAuto, OrderNone, OrderDegree, OrderBFS, OrderRabbit:
		return o, nil
	}
	return "", &OrderError{Order: Order(name), Reason: "is unknown; take auto, none, degree, bfs or rabbit"}
}

// OrderError says why vertices cannot be stored in this order, and what to do.
type OrderError struct {
	Order  Order
	Reason string
}

func (e *OrderError) Error() string { return fmt.Sprintf("order %q %s", e.Order, e.Reason) }

// Ordering says which order a graph was stored in, and why. The zero value, of graphs
// loaded before there was a choice, means OrderNone.
type Ordering struct {
	Asked Order  `json:"asked"`
	Taken Order  `json:"taken"`
	Why   string `json:"why"`
	// TopShare is the share of all list entries that the vertices of highest degree
	// have, one in a hundred. Not measured when OrderNone was asked for.
	TopShare float64 `json:"top_share,omitempty"`
	// Lines is how many cache lines of vertex values a list leads to, per entry, on
	// average over some lists; LinesBefore is what it would be in the order of loading.
	// Zero: there are no edges, or the graph was stored before this was measured.
	Lines       float64 `json:"lines_per_entry,omitempty"`
	LinesBefore float64 `json:"lines_per_entry_as_loaded,omitempty"`
}

// String is "degree (auto: 1 % of the vertices have 57 % of the edge ends)".
func (o Ordering) String() string {
	if o.Taken == "" {
		return string(OrderNone)
	}
	if o.Asked == o.Taken {
		return fmt.Sprintf("%s (%s)", o.Taken, o.Why)
	}
	return fmt.Sprintf("%s (%s: %s)", o.Taken, o.Asked, o.Why)
}

// Effect is "an edge list leads to 0.41 cache lines an entry; 0.83 in the order of loading".
func (o Ordering) Effect() string {
	switch {
	case o.Lines == 0:
		return "not measured"
	case o.Taken == OrderNone:
		return fmt.Sprintf("an edge list leads to %.2f cache lines an entry", o.Lines)
	}
	return fmt.Sprintf("an edge list leads to %.2f cache lines an entry; %.2f in the order of loading", o.Lines,
		o.LinesBefore)
}
