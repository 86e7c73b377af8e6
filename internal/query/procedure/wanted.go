package procedure

import "context"

type wantedKey struct{}

// WithWanted tells a procedure which of its columns are wanted; slots of others are below 0.
func WithWanted(ctx context.Context, slots []int) context.Context {
	return context.WithValue(ctx, wantedKey{}, slots)
}

// Wanted tells whether a column is wanted: what nobody asks for need not be made. Where nobody says, all are.
func Wanted(ctx context.Context, column int) bool {
	slots, told := ctx.Value(wantedKey{}).([]int)
	return !told || column < len(slots) && slots[column] >= 0
}
