"""Trains a model in PyTorch as its users do, on a graph and features from files, and prints what an epoch takes.

    gnn.py [--device cuda] [--by torch,pyg] [--runs N] MODEL EDGES FEATURES LABELS HIDDEN HEADS EPOCHS

MODEL is gcn, gat or sage-max, with the rates and dropouts that penstock has for it. EDGES has two numbers a line, an undirected
edge once; FEATURES is numbers (.npy), "row column" a line, or random:VERTICES:WIDTH; LABELS is a number a line, or
random:CLASSES: no time depends on what the numbers are. By torch, GCN multiplies by a sparse matrix in CSR form, and the others
add up by index, as PyTorch Geometric does without extensions; by pyg, they are layers of PyTorch Geometric.

A line for each run: the median seconds of an epoch, the peak of memory in bytes, the median seconds of processors, the loss of the
last epoch, and by what. The peak is what PyTorch has allocated on the card at once, or on a processor by how much the process has
grown since torch was imported. On a card products are in full single precision (no TF32), features are dense, each epoch ends when the card has, and the
first quarter of the epochs is left out of the medians.
"""
import argparse, os, resource, sys, time
import numpy as np
import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--by", default="torch")
parser.add_argument("--runs", type=int, default=1)
for name in ["model", "edges", "features", "labels"]:
    parser.add_argument(name)
for name in ["hidden", "heads", "epochs"]:
    parser.add_argument(name, type=int)
args = parser.parse_args()
model, hidden, heads = args.model, args.hidden, args.heads
card = args.device == "cuda"
torch.set_num_threads(int(os.environ.get("THREADS", 2)))
torch.set_float32_matmul_precision("highest")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

draw = args.features.split(":")[1:] if args.features.startswith("random:") else None
if args.labels.startswith("random:"):
    y = torch.randint(int(args.labels.split(":")[1]), (int(draw[0]),))
else:
    y = torch.tensor(np.loadtxt(args.labels, dtype=np.int64))
n = len(y)
e = np.fromfile(args.edges, dtype=np.int64, sep=" ").reshape(-1, 2)
e = e[e[:, 0] != e[:, 1]]
source = torch.tensor(np.concatenate([e[:, 0], e[:, 1]]))
target = torch.tensor(np.concatenate([e[:, 1], e[:, 0]]))
if draw:
    width = int(draw[1])
    x = torch.randn(n, width)
elif args.features.endswith(".npy"):
    x = torch.tensor(np.load(args.features))
    width = x.shape[1]
else:
    at = np.loadtxt(args.features, dtype=np.int64)
    width = int(at[:, 1].max()) + 1
    count = np.bincount(at[:, 0], minlength=n)
    x = torch.sparse_coo_tensor(torch.tensor(at.T.copy()), torch.tensor(1.0 / count[at[:, 0]], dtype=torch.float32), (n, width)).coalesce()
if x.is_sparse and (card or args.by != "torch"):
    x = x.to_dense()
classes = int(y.max()) + 1
x, y, source, target = (t.to(args.device) for t in (x, y, source, target))
rate, learning = {"gcn": (0.5, 0.01), "gat": (0.6, 0.005), "sage-max": (0.5, 0.01)}[model]


def weight(*shape):
    w = torch.empty(*shape, device=args.device, requires_grad=True)
    torch.nn.init.xavier_uniform_(w)
    return w


def bias(width):
    return torch.zeros(width, device=args.device, requires_grad=True)


def drop(h):
    if not h.is_sparse:
        return F.dropout(h, rate)
    kept = torch.rand(h._nnz()) >= rate
    return torch.sparse_coo_tensor(h.indices()[:, kept], h.values()[kept] / (1 - rate), h.shape)


def times(h, w):
    return torch.sparse.mm(h, w) if h.is_sparse else h @ w


def looped():
    """The ends of edges, with one from each vertex to itself."""
    own = torch.arange(n, device=args.device)
    return torch.cat([source, own]), torch.cat([target, own])


# A model is a function that computes it, what it learns with weight decay, and what without.


def torch_gcn():
    s, t = looped()
    degree = torch.bincount(t, minlength=n).float().rsqrt()
    a = torch.sparse_coo_tensor(torch.stack([t, s]), degree[s] * degree[t], (n, n)).coalesce().to_sparse_csr()
    if card:  # half of what is read of an entry
        a = torch.sparse_csr_tensor(a.crow_indices().int(), a.col_indices().int(), a.values(), a.shape)
    w1, b1, w2, b2 = weight(width, hidden), bias(hidden), weight(hidden, classes), bias(classes)

    class Gather(torch.autograd.Function):  # the matrix is symmetric
        @staticmethod
        def forward(context, h):
            return a @ h

        @staticmethod
        def backward(context, g):
            return a @ g

    def forward():
        h = F.relu(Gather.apply(times(drop(x), w1)) + b1)
        return Gather.apply(drop(h) @ w2) + b2

    return forward, [w1, b1], [w2, b2]


def torch_gat():
    s, t = looped()
    each = hidden // heads
    w1, s1, t1, b1 = weight(width, hidden), weight(heads, each), weight(heads, each), bias(hidden)
    w2, s2, t2, b2 = weight(hidden, classes), weight(1, classes), weight(1, classes), bias(classes)

    def attend(h, w, from_source, from_target, heads, wide):
        h = times(drop(h), w).view(n, heads, wide)
        score = (h * from_source).sum(-1).index_select(0, s) + (h * from_target).sum(-1).index_select(0, t)
        score = F.leaky_relu(score, 0.2)
        score = torch.exp(score - score.max())
        total = torch.zeros(n, heads, device=args.device).index_add(0, t, score)
        share = F.dropout(score / total.index_select(0, t), rate)
        return torch.zeros(n, heads, wide, device=args.device).index_add(0, t, h.index_select(0, s) * share.unsqueeze(-1)).view(n, heads * wide)

    def forward():
        h = F.elu(attend(x, w1, s1, t1, heads, each) + b1)
        return attend(h, w2, s2, t2, 1, classes) + b2

    return forward, [w1, s1, t1, b1, w2, s2, t2, b2], []


def pooled(largest):
    """GraphSAGE with the pooling aggregator; largest tells of rows each vertex's largest of its neighbors."""
    layers = [[weight(wide, hidden), bias(hidden), weight(wide, to), weight(hidden, to), bias(to)] for wide, to in [(width, hidden), (hidden, classes)]]

    def layer(h, wp, bp, ws, wn, b):
        return times(drop(h), ws) + largest(F.relu(times(h, wp) + bp)) @ wn + b

    def forward():
        return layer(F.relu(layer(x, *layers[0])), *layers[1])

    return forward, layers[0] + layers[1], []


def torch_sage_max():
    at = target.unsqueeze(1).expand(-1, hidden)  # rows are at least 0, as is what a vertex without neighbors hears
    return pooled(lambda h: torch.zeros(n, hidden, device=args.device).scatter_reduce(0, at, h.index_select(0, source), "amax"))


def pyg_gcn():
    from torch_geometric.nn import GCNConv

    first, last = (GCNConv(a, b, cached=True).to(args.device) for a, b in [(width, hidden), (hidden, classes)])
    edges = torch.stack([source, target])

    def forward():
        return last(F.dropout(F.relu(first(F.dropout(x, rate), edges)), rate), edges)

    return forward, list(first.parameters()), list(last.parameters())


def pyg_gat():
    from torch_geometric.nn import GATConv

    first = GATConv(width, hidden // heads, heads=heads, dropout=rate).to(args.device)
    last = GATConv(hidden, classes, dropout=rate).to(args.device)
    edges = torch.stack([source, target])

    def forward():
        return last(F.dropout(F.elu(first(F.dropout(x, rate), edges)), rate), edges)

    return forward, list(first.parameters()) + list(last.parameters()), []


def pyg_sage_max():
    from torch_geometric.nn import SimpleConv

    largest = SimpleConv(aggr="max")
    edges = torch.stack([source, target])
    return pooled(lambda h: largest(h, edges))


def train(make):
    """Seconds of an epoch, peak of memory, seconds of processors, and the last loss."""
    torch.manual_seed(1)
    if card:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    forward, decayed, plain = make()
    optimizer = torch.optim.Adam([{"params": decayed, "weight_decay": 5e-4}, {"params": plain}], lr=learning)
    took, used = [], []
    for _ in range(args.epochs):
        began, busy = time.perf_counter(), time.process_time()
        optimizer.zero_grad()
        loss = F.cross_entropy(forward(), y)
        loss.backward()
        optimizer.step()
        if card:
            torch.cuda.synchronize()
        took.append(time.perf_counter() - began)
        used.append(time.process_time() - busy)
    if card:
        took, used, peak = took[args.epochs // 4 :], used[args.epochs // 4 :], torch.cuda.max_memory_allocated()
    else:
        peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return sorted(took)[len(took) // 2], peak, sorted(used)[len(used) // 2], loss.item()


made = {"torch": {"gcn": torch_gcn, "gat": torch_gat, "sage-max": torch_sage_max}, "pyg": {"gcn": pyg_gcn, "gat": pyg_gat, "sage-max": pyg_sage_max}}
status = 0
for by in args.by.split(",") * args.runs:
    try:
        print(*train(made[by][model]), by, flush=True)
    except (ImportError, RuntimeError) as error:  # there is no PyTorch Geometric, or too little memory on the card
        print(f"gnn.py: {model} by {by}:", str(error).strip().split("\n")[0], file=sys.stderr)
        status = 1
sys.exit(status)
