package graphs

import "github.com/penstock-db/penstock/store"

const orderUsage = `how vertices lie in memory: none, degree (by descending degree), bfs (breadth-first) or
rabbit (communities together), which need the memory for all lists, or auto: degree for large graphs of skewed degrees`

// order is a flag that names a store.Order; empty: auto.
type order store.Order

func (o *order) String() string {
	if *o == "" {
		return string(store.OrderAuto)
	}
	return string(*o)
}

func (o *order) Set(text string) error {
	parsed, err := store.ParseOrder(text)
	*o = order(parsed)
	return err
}

func (o *order) Type() string { return "order" }
