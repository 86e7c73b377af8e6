package kernel

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
)

// combining is what Apply says where a program leaves it to Reduce, in words of its own.
var combining = map[algorithms.Reduce]string{
	algorithms.Min: "acc < self.%[1]s ? acc : self.%[1]s", algorithms.Max: "acc > self.%[1]s ? acc : self.%[1]s",
	algorithms.And: "self.%s ? acc : false", algorithms.Or: "self.%s ? true : acc",
}

// Plainly makes p one that devices have no special way for, though it computes the same: its
// order is said to matter, and that values only ever improve is not to be seen. Messages then
// go from the rows of active vertices alone, iteration by iteration.
func Plainly(p *algorithms.Program) {
	p.Order = algorithms.Synchronous
	if first, combine := &p.State[0], combining[p.Reduce]; first.Apply.Source == "" && combine != "" {
		first.Apply.Source = fmt.Sprintf(combine, first.Name)
	}
}
