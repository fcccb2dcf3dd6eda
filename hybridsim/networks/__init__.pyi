from .description import (
    Edge as Edge,
    Edges as Edges,
    Node as Node,
    Nodes as Nodes,
    Sine as Sine,
)
from .model import (
    NetworkModel as NetworkModel,
    network as network,
)
from .patterns import (
    Pattern as Pattern,
    all_pairs as all_pairs,
    chain as chain,
    from_matrix as from_matrix,
    pairs as pairs,
    random_pairs as random_pairs,
    ring as ring,
)
