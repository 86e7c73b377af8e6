package schedule

import (
	"testing"

	"pgregory.net/rapid"
)

// Against a model that knows of each chunk how often it was gone through, whatever happens:
// nothing of a lower level, or of the same and of a higher value, is passed over; and nothing
// leaves that is of value and has not been gone through k times.
func TestQueue_LowestLevelThenHighestValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := Queue{Levels: rapid.IntRange(1, 5).Draw(t, "levels")}
		gone, values := map[int]int{}, map[int]uint64{} // of chunks that are held
		value := func(chunk int) uint64 { return values[chunk] }
		revalue := func() {
			for c := range 20 {
				if _, held := gone[c]; held {
					values[c] = rapid.Uint64Range(0, 3).Draw(t, "value")
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				c := rapid.IntRange(0, 19).Draw(t, "chunk")
				if _, held := gone[c]; held {
					t.Skip("it is there")
				}
				q.Add(c)
				gone[c], values[c] = 0, rapid.Uint64Range(0, 3).Draw(t, "value")
			},
			"restart": func(*rapid.T) {
				q.Restart()
				for c := range gone {
					gone[c] = 0
				}
			},
			"next": func(t *rapid.T) {
				within := rapid.IntRange(1, q.Levels).Draw(t, "within")
				got, ok := q.Next(value, within)
				for c, times := range gone {
					better := ok && (times < gone[got] || times == gone[got] && values[c] > values[got])
					if values[c] > 0 && times < within && (!ok || better) {
						t.Fatalf("Next = %d, %v; chunk %d of value %d has been gone through %d times", got, ok, c, values[c], times)
					}
				}
				if ok && (values[got] == 0 || gone[got] >= within) {
					t.Fatalf("Next = %d of value %d, gone through %d times; within %d", got, values[got], gone[got], within)
				}
				if ok {
					gone[got]++
				}
				revalue()
			},
			"evict": func(t *rapid.T) {
				got, ok := q.Evict(value)
				for c, times := range gone {
					if may := values[c] == 0 || times >= q.Levels; may && (!ok || values[c] < values[got]) {
						t.Fatalf("Evict = %d, %v; chunk %d of value %d has been gone through %d times", got, ok, c, values[c], times)
					}
				}
				if ok && values[got] > 0 && gone[got] < q.Levels {
					t.Fatalf("Evict = %d of value %d, gone through %d times of %d", got, values[got], gone[got], q.Levels)
				}
				if ok {
					delete(gone, got)
					delete(values, got)
				}
			},
		})
	})
}
