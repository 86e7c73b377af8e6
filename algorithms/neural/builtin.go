package neural

// kipf is how Kipf and Welling train on citation networks, section 5.2 of their paper.
var kipf = Training{Epochs: 200, LearningRate: 0.01, WeightDecay: 5e-4, Dropout: 0.5}

var builtin = []Model{
	{
		// Graph convolutional network: Kipf and Welling, ICLR 2017, equation 9.
		Name:      "gcn",
		SelfLoops: true,
		Sizes:     map[string]int{"hidden": 16},
		Layers: []Layer{
			{Edge: "(dropout(src.h) * W) / (sqrt(src.out_degree) * sqrt(dst.in_degree))", Gather: "sum",
				Vertex: "relu(acc + B)", Width: "hidden", Decay: true},
			{Edge: "(dropout(src.h) * W) / (sqrt(src.out_degree) * sqrt(dst.in_degree))", Gather: "sum",
				Vertex: "acc + B", Width: "outputs"},
		},
		Training: kipf,
	},
	{
		// Gated graph convolutional network, the example of NeuGraph (Ma et al., ATC 2019, section 2.2), after
		// Marcheggiani and Titov, EMNLP 2017.
		Name:  "g-gcn",
		Sizes: map[string]int{"hidden": 16},
		Layers: []Layer{
			{Vertex: "dropout(self.h) * W", Width: "hidden", Decay: true},
			{Edge: "sigmoid(dst.h * WH + src.h * WC) * src.h", Gather: "sum", Vertex: "relu(acc * W)", Width: "hidden"},
			{Edge: "sigmoid(dst.h * WH + src.h * WC) * src.h", Gather: "sum", Vertex: "acc * W", Width: "outputs"},
		},
		Training: kipf,
	},
	{
		// Graph attention network: Veličković et al., ICLR 2018, equations 3 to 6, trained as in section 3.3.
		Name:      "gat",
		SelfLoops: true,
		Sizes:     map[string]int{"hidden": 64, "heads": 8},
		Layers: []Layer{
			{Edge: attention, Gather: "sum", Vertex: "elu(acc + B)", Width: "hidden", Heads: "heads", Decay: true},
			{Edge: attention, Gather: "sum", Vertex: "acc + B", Width: "outputs", Decay: true},
		},
		Training: Training{Epochs: 1000, LearningRate: 0.005, WeightDecay: 5e-4, Dropout: 0.6, Patience: 100},
	},
	{
		// GraphSAGE with the mean aggregator: Hamilton, Ying and Leskovec, NeurIPS 2017, algorithm 1.
		Name:  "sage",
		Sizes: map[string]int{"hidden": 64},
		Layers: []Layer{
			{Edge: "src.h", Gather: "mean", Vertex: "relu(dropout(self.h) * WS + acc * WN + B)", Width: "hidden", Decay: true},
			{Edge: "src.h", Gather: "mean", Vertex: "dropout(self.h) * WS + acc * WN + B", Width: "outputs", Decay: true},
		},
		Training: Training{Epochs: 200, LearningRate: 0.01, WeightDecay: 5e-4, Dropout: 0.5},
	},
	{
		// GraphSAGE with the pooling aggregator, its equation 3.
		Name:  "sage-max",
		Sizes: map[string]int{"hidden": 64},
		Layers: []Layer{
			{Edge: "relu(src.h * WP + BP)", Gather: "max", Vertex: "relu(dropout(self.h) * WS + acc * WN + B)",
				Width: "hidden", Widths: map[string]string{"WP": "hidden"}, Decay: true},
			{Edge: "relu(src.h * WP + BP)", Gather: "max", Vertex: "dropout(self.h) * WS + acc * WN + B",
				Width: "outputs", Widths: map[string]string{"WP": "hidden"}, Decay: true},
		},
		Training: Training{Epochs: 200, LearningRate: 0.01, WeightDecay: 5e-4, Dropout: 0.5},
	},
	{
		// CommNet: Sukhbaatar, Szlam and Fergus, NeurIPS 2016, equation 1, as NeuGraph runs it.
		Name:  "commnet",
		Sizes: map[string]int{"hidden": 16},
		Layers: []Layer{
			{Edge: "src.h", Gather: "mean", Vertex: "tanh(dropout(self.h) * WH + acc * WC)", Width: "hidden", Decay: true},
			{Edge: "src.h", Gather: "mean", Vertex: "dropout(self.h) * WH + acc * WC", Width: "outputs"},
		},
		Training: kipf,
	},
	{
		// Gated graph sequence network: Li et al., ICLR 2016, equations 2 to 6: a gated recurrent unit, two steps.
		Name:  "gg-nn",
		Sizes: map[string]int{"hidden": 16, "steps": 2},
		Layers: []Layer{
			{Vertex: "dropout(self.h) * W", Width: "hidden", Decay: true},
			{Edge: "src.h * WE", Gather: "sum", Width: "hidden", Widths: map[string]string{"WE": "hidden"}, Repeat: "steps",
				Vertex: "(1 - sigmoid(acc * WZ + self.h * UZ)) * self.h + sigmoid(acc * WZ + self.h * UZ) * " +
					"tanh(acc * WH + (sigmoid(acc * WR + self.h * UR) * self.h) * UH)"},
			{Vertex: "dropout(self.h) * W + B", Width: "outputs"},
		},
		Training: kipf,
	},
	{
		// Vectors of vertices alone, as in matrix factorization: Koren, Bell and Volinsky, Computer 42(8), 2009, equation 5,
		// with the output that is said where a model says none.
		Name:     "factors",
		Layers:   []Layer{{Vertex: "dropout(self.h)", Width: "outputs"}},
		Training: Training{Epochs: 300, LearningRate: 0.02, WeightDecay: 0.05, Patience: 30},
	},
	{
		// LightGCN: He et al., SIGIR 2020, equations 7 and 8, with the sum of layers in place of their mean: three of them,
		// each as x + A·h, so that the last gives x + A·x + A²·x + A³·x.
		Name: "lightgcn",
		Layers: []Layer{
			{Edge: normalized, Gather: "sum", Vertex: "self.x + acc", Width: "outputs"},
			{Edge: normalized, Gather: "sum", Vertex: "self.x + acc", Width: "outputs"},
			{Edge: normalized, Gather: "sum", Vertex: "dropout(self.x + acc)", Width: "outputs"},
		},
		Training: Training{Epochs: 300, LearningRate: 0.02, WeightDecay: 0.05, Patience: 30},
	},
	{
		// A perceptron of two layers that looks at no edges: what the edges bring is what others do better.
		Name:  "mlp",
		Sizes: map[string]int{"hidden": 16},
		Layers: []Layer{
			{Vertex: "relu(dropout(self.h) * W + B)", Width: "hidden", Decay: true},
			{Vertex: "dropout(self.h) * W + B", Width: "outputs"},
		},
		Training: kipf,
	},
}

// normalized is a neighbor's row, as a GCN weighs it.
const normalized = "src.h / (sqrt(src.out_degree) * sqrt(dst.in_degree))"

// attention is what a vertex hears of a neighbor in a GAT: how much of it, times its transformed row.
const attention = "dropout(softmax(leaky_relu(dot(dropout(src.h) * W, AS) + dot(dropout(dst.h) * W, AD), 0.2))) * " +
	"(dropout(src.h) * W)"
