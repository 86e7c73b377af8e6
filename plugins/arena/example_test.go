package arena_test

import (
	"fmt"

	"github.com/penstock-db/penstock/plugins/arena"
)

func Example() {
	host, err := arena.Create(1 << 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	region := arena.NewRegion(host.Size())
	ranks, _ := region.Alloc(4 * 8)

	plugin, err := arena.Open(host.Ref()) // in the other process
	if err != nil {
		fmt.Println(err)
		return
	}
	defer plugin.Close()
	there, _ := plugin.Float64s(ranks)
	there[2] = 0.25

	here, _ := host.Float64s(ranks)
	fmt.Println(here)
	// Output: [0 0 0.25 0]
}
