package trained

// Scores say how well a model does on some vertices, or edges. Those that its task does not have are nil.
type Scores struct {
	Vertices int      `json:"vertices,omitempty"`
	Edges    int      `json:"edges,omitempty"` // or, of links, pairs with and without one
	Loss     float64  `json:"loss"`
	Accuracy *float64 `json:"accuracy,omitempty"` // of classes: the share that is right; of labels: all of a vertex's
	F1       *float64 `json:"f1,omitempty"`       // the mean over classes or labels
	RMSE     *float64 `json:"rmse,omitempty"`     // of values
	MAE      *float64 `json:"mae,omitempty"`      // of values of edges: the mean absolute error
	AUC      *float64 `json:"auc,omitempty"`      // of links
	// Precision is, of links, the average precision.
	Precision *float64 `json:"average_precision,omitempty"`
	// Percentile and Recall are, of preferences, where those held out are in the list of what a user may prefer, 0
	// being its head and 1 its end, on average; and which share of a user's is among the first ten, on average over
	// Ranked users.
	Percentile *float64 `json:"percentile,omitempty"`
	Recall     *float64 `json:"recall_at_10,omitempty"`
	Ranked     int      `json:"ranked_users,omitempty"`
	// Perplexity is, of topics, exp(Loss).
	Perplexity *float64 `json:"perplexity,omitempty"`
}

// Better says whether s is better than other in what its task is about, or as good with less loss.
func (s *Scores) Better(other *Scores) bool {
	switch {
	case other == nil:
		return true
	case s.RMSE != nil:
		return *s.RMSE < *other.RMSE
	case s.AUC != nil:
		if *s.AUC != *other.AUC {
			return *s.AUC > *other.AUC
		}
	case s.Percentile != nil && other.Percentile != nil:
		return *s.Percentile < *other.Percentile
	case s.Accuracy == nil || other.Accuracy == nil:
	case *s.Accuracy != *other.Accuracy:
		return *s.Accuracy > *other.Accuracy
	}
	return s.Loss < other.Loss
}
