package learning

import "github.com/penstock-db/penstock/cmd/penstock/internal/app"

// Commands are the models that are MEGA programs, commands of their own below train.
func (*Train) Commands() []app.Command {
	return []app.Command{
		&megaProgram{name: "mf", short: "Factorize ratings: edges from one type of vertices to another",
			long: `Learn factors and biases of users and items from ratings, which are edges between them: what
a model says of a pair is the mean, a bias of each end and the product of their factors. It is a
MEGA program (docs/mega.md): the graph is cut into --workers partitions, each with a thread of the
plugin's process, or of several: 4x2 is 4 processes with 2 threads each. One may be --slack batches
ahead of the slowest.`,
			example: `  penstock train mf --db ./db --graph ratings --rank 32 --epochs 20 --workers 2 --slack 1 --save taste`},
		&megaProgram{name: "als", short: "Factorize ratings by alternating least squares",
			long: `As train mf, factors and biases of users and items from ratings, but each vertex in turn has what is
best for it, the other side being as it is: the solution of its normal equations. --l2 counts once
for each rating of a vertex. It ends when five epochs have not lowered the error of the ratings for
validation by the share --tolerance, or after --epochs. It is a MEGA program (docs/mega.md): an epoch
scans users, then items, each in batches; without --slack any number of --workers has the same bits.
With --implicit edges say how often something was observed, and pairs without one count as well: what is
learned is which pairs are preferred, judged by where those held out are in the lists of users.`,
			example: `  penstock train als --db ./db --graph ratings --rank 32 --l2 0.1 --workers 2 --save taste
  penstock train als --db ./db --graph plays --implicit --alpha 40 --l2 10 --save likes`},
		&megaProgram{name: "lr", short: "Logistic regression: two classes of samples, from their features",
			long: `Learn a weight of each feature from samples of two classes, which edges lead from to their
features. What is minimized is the sum of the samples' losses, log(1 + exp(-y w·x)), and --l2
times half of the sum of squares of the weights: --l2 1 is what LIBLINEAR calls -c 1. There is no
bias. It ends within --tolerance of the best, or after --epochs, and says which. It is a MEGA program
(docs/mega.md) that goes from sample to sample, by the dual of the problem; with --l1, or where that
is sooner, from feature to feature. A clock is a block of them, of which an epoch has --blocks.`,
			example: `  penstock train lr --db ./db --graph a9a --l2 1 --save income`},
		&megaProgram{name: "blockpg", short: "Sparse logistic regression: as lr, by delayed block proximal gradient",
			long: `As train lr, with --l1 times the sum of the sizes of weights in the place of their squares, which
makes the weights of most features 0. It ends within --tolerance of the best, or after --epochs, and says
which. It is delayed block proximal gradient: a clock is a block of features, of which an epoch has
--blocks; a worker may be --slack blocks ahead of the slowest.`,
			example: `  penstock train blockpg --db ./db --graph a9a --l1 1 --blocks 20 --workers 2 --slack 1 --save sparse`},
		&megaProgram{name: "lda", short: "Topics of documents, by their words: latent Dirichlet allocation",
			long: `Learn topics from documents, edges of which lead to their words and say how often each is there
(--count): how probable each word is in each topic, by Gibbs sampling. Documents that --split holds
out are foretold: half of their words say what topics they have, and these how probable the other half
is, as a perplexity. 'penstock predict --write' stores at documents how much of each topic they have,
'predict --embedding --write' at words how probable they are in each topic. It is a MEGA program
(docs/mega.md); workers tell each other after each batch of how many words of a topic they have.`,
			example: `  penstock train lda --db ./db --graph kos --topics 50 --save topics
  penstock predict --db ./db --graph kos topics --write topics`},
	}
}
