package learning

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
)

// printPairScores says how well a model does that says something of pairs of vertices.
func printPairScores(w io.Writer, m *trained.Model) {
	columns := table.Row{"split", "edges", "loss", "RMSE", "MAE"}
	preferences := m.Architecture.Name == host.ImplicitName
	switch {
	case preferences:
		columns = table.Row{"split", "edges", "loss", "ranked users", "percentile", "recall@10"}
	case m.Schema.Task == neural.Links:
		columns = table.Row{"split", "pairs", "loss", "AUC", "average precision"}
	}
	t := terminal.NewTable(w, columns...)
	for _, part := range []string{"train", "validation", "test"} {
		s, has := m.Scores[part]
		switch {
		case !has:
			continue
		case preferences:
			users := ""
			if s.Ranked > 0 {
				users = fmt.Sprint(s.Ranked)
			}
			t.AppendRow(table.Row{part, s.Edges, fmt.Sprintf("%.4g", s.Loss), users, percent(s.Percentile), percent(s.Recall)})
		case s.AUC != nil:
			t.AppendRow(table.Row{part, s.Edges, fmt.Sprintf("%.4g", s.Loss), fmt.Sprintf("%.4f", *s.AUC),
				fmt.Sprintf("%.4f", *s.Precision)})
		default:
			t.AppendRow(table.Row{part, s.Edges, fmt.Sprintf("%.4g", s.Loss), fmt.Sprintf("%.4g", *s.RMSE),
				fmt.Sprintf("%.4g", *s.MAE)})
		}
	}
	t.Render()
}

// printBaseline says how well those do in the test who look at no vectors, and which edges were left out.
func printBaseline(w io.Writer, r host.TrainReport) {
	b := r.Baseline
	switch {
	case b == nil:
		return
	case b.ConstantRMSE != nil:
		fmt.Fprintf(w, "\nbeside: who always says the mean has RMSE %.4g, MAE %.4g; the mean and a bias of each end, RMSE %.4g, "+
			"MAE %.4g\n", *b.ConstantRMSE, *b.ConstantMAE, *b.BiasesRMSE, *b.BiasesMAE)
	case b.DegreesAUC != nil:
		fmt.Fprintf(w, "\nbeside: by the product of degrees AUC is %.4f, by common neighbors %.4f\n", *b.DegreesAUC,
			*b.CommonAUC)
	case b.PopularPercentile != nil:
		fmt.Fprintf(w, "\nbeside: who ranks by popularity has percentile %s, recall@10 %s\n", percent(b.PopularPercentile),
			percent(b.PopularRecall))
	case b.Unigram != nil:
		fmt.Fprintf(w, "\nbeside: by how frequent words are, whatever the topics, perplexity is %.1f\n", *b.Unigram)
	case b.Larger != nil:
		fmt.Fprintf(w, "\nbeside: who always says the larger class is right in %.2f%%\n", 100**b.Larger)
	}
	if r.Unlabelled > 0 {
		fmt.Fprintf(w, "%d edges have no value: they pass messages, and are not learned from\n", r.Unlabelled)
	}
}

// percent is a share; empty: there is none.
func percent(share *float64) string {
	if share == nil {
		return ""
	}
	return fmt.Sprintf("%.2f%%", 100**share)
}
