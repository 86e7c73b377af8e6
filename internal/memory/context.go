package memory

import "context"

type key struct{}

// With is a context whose work is charged to an account.
func With(ctx context.Context, a *Account) context.Context { return context.WithValue(ctx, key{}, a) }

// Of is the account that a context's work is charged to; nil: none.
func Of(ctx context.Context) *Account {
	a, _ := ctx.Value(key{}).(*Account)
	return a
}
