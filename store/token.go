package store

import "context"

// token is a channel that holds one token: who took it may write.
type token chan struct{}

// acquire waits for the token.
func (t token) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-t:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tryAcquire takes the token if nothing has it.
func (t token) tryAcquire() bool {
	select {
	case <-t:
		return true
	default:
		return false
	}
}

func (t token) release() { t <- struct{}{} }
