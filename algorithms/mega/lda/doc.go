// Package lda defines latent Dirichlet allocation: each token of a document d has a topic z, drawn from the
// mixture θ_d of the document, and its word is drawn from the distribution φ_z of the topic; θ and φ have
// Dirichlet priors α and β (Blei, Ng, Jordan, JMLR 2003). With θ and φ integrated out, a token's topic given
// all others has the probability
//
//	p(z = k) ∝ (n_dk + α) (n_kw + β) / (n_k + V β)
//
// where n count the other tokens: of a document with a topic, of a topic with a word, of a topic. The sampler
// draws one token's topic after the other (Griffiths and Steyvers: Finding Scientific Topics, PNAS 2004).
//
//	corpus ──Check──▶ New ──Sweep…──▶ Sampler: counts ──Phi──▶ words of topics ──Perplexity──▶ of documents held out
package lda
