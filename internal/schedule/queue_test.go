package schedule

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Against a model that knows of each chunk how often it was gone through, whatever happens:
// nothing of a lower level, or of the same and of a higher value, is passed over; and nothing
// leaves that is of value and has not been gone through as often as it should.
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
				enough := rapid.Uint64Range(1, 8).Draw(t, "enough")
				next := q.Next(value, within, enough)
				edges, least := uint64(0), uint64(4)
				for _, got := range next {
					if values[got] == 0 || gone[got] >= within || gone[got] != gone[next[0]] || values[got] > least || edges >= enough {
						t.Fatalf("Next = %v, of which %d is of value %d, gone through %d times; within %d, enough %d", next, got, values[got], gone[got], within, enough)
					}
					edges, least = edges+values[got], values[got]
				}
				for c, times := range gone {
					left := values[c] > 0 && times < within && !slices.Contains(next, c)
					if left && (len(next) == 0 || times < gone[next[0]] || times == gone[next[0]] && (values[c] > least || edges < enough)) {
						t.Fatalf("Next = %v; chunk %d of value %d has been gone through %d times; within %d, enough %d", next, c, values[c], times, within, enough)
					}
				}
				for _, got := range next {
					gone[got]++
				}
				revalue()
			},
			"evict": func(t *rapid.T) {
				within := rapid.IntRange(1, q.Levels).Draw(t, "within")
				got, ok := q.Evict(value, within)
				for c, times := range gone {
					if may := values[c] == 0 || times >= within; may && (!ok || values[c] < values[got]) {
						t.Fatalf("Evict = %d, %v; chunk %d of value %d has been gone through %d times", got, ok, c, values[c], times)
					}
				}
				if ok && values[got] > 0 && gone[got] < within {
					t.Fatalf("Evict = %d of value %d, gone through %d times of %d", got, values[got], gone[got], within)
				}
				if ok {
					delete(gone, got)
					delete(values, got)
				}
			},
		})
	})
}
