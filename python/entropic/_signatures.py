"""The parameters of the estimators. Written by scripts/python-interface from the library's table of parameters:
make regenerate.
"""
from typing import Any, Dict, Optional, Sequence, TypedDict, Union

from ._old_names import OldNames, takes_old_names
from ._types import ClassWeight, RandomState


class Kernel(TypedDict, total=False):
    """A custom kernel by expressions in x and w (omega): p and q, or alpha, beta, left and right. It is a plain dict:
    Kernel(p="1 + w*x", q="1") is {"p": "1 + w*x", "q": "1"}.

    p: one factor of the custom kernel, an expression in x and w: numbers, + - * / ^, pi, e, functions such
        as exp, log, sqrt, sin, cosh, min. The kernel is p(min) q(max), p/q must increase; its features are
        chosen by the kernel alone
    q: its other factor: {"p": "1 + w*x", "q": "1"} is sobolev
    alpha: a coefficient of an equation, instead of p and q: they solve (alpha y')' + beta y = 0; alpha must
        be above 0, and the kernel is the Green's function
    beta: the other coefficient of the equation
    left: the end of the equation at 0: C11 p'(0) + C12 p(0) = 0, two expressions in w
    right: the end of the equation at 1: C21 q'(1) + C22 q(1) = 0, likewise
    """

    p: str
    q: str
    alpha: str
    beta: str
    left: str
    right: str


class RegressorParameters(OldNames):
    """
    Parameters
    ----------
    time : str or int, default None
        rows are a time series in the order of this column, a name or a position from 0: validation learns
        from earlier rows and predicts later ones; it stays an input unless it is ignored
    ignore : list of str or int, default None
        columns of X to leave out: names of columns, or their positions from 0
    keep : list of str or int, default None
        inputs however they look (row numbers, names of rows, constants): names of columns, or their
        positions from 0
    categorical : list of str or int, default None
        columns that are categories although they hold numbers: names of columns, or their positions from 0.
        Those of dtype category always are
    loss : {"auto", "squared", "logistic", "hinge", "huber"}, default "auto"
        what the weights make small; features are chosen by squares (auto: squared; of classes whichever
        validates better). squared: ridge; classes as -1 and 1, one against the rest. logistic: for classes:
        their log odds; softmax for several. hinge: for classes: squared, rows far on the right side cost
        nothing. huber: for numbers: outliers count less, by their distance
    scale : {"auto", "quantile", "minmax", "none", "blend"}, default "auto"
        how inputs are brought to [0,1] (auto: quantile, blend or minmax, whichever validates better)
    target_scale : {"auto", "plain", "root"}, default "auto"
        what is learnt of a number: itself (plain), or the root of how far it is from its crowded end, for
        counts and the like (auto: the root if the target is skewed and that validates better)
    features : int or "auto" or "theory", default "auto"
        how many features; auto (the default): by validation; theory: N^(1/4) for N rows
    nonzeros : int or "auto", default "auto"
        instead: how many non-zeros a row at most
    select : {"auto", "entropy", "residual", "paper"}, default "auto"
        how features are chosen: by the kernel alone (entropy), or from the data (residual; auto: that,
        where the kernel and other options allow it); paper: some of the source paper's set at random,
        interior basis
    kernel : {"centred", "sobolev", "laplace", "cosh", "brownian", "bridge", "neumann"} or dict, default
        "centred"
        the kernel of each input, with w for omega; or a custom one, a dict of expressions as Kernel has
        them: p and q, or alpha, beta, left and right
    omega : float or list of float or "auto", default "auto"
        the kernel's parameter, 1e-6 to 1e4, or a comma list, one for each input; auto (the default): by
        validation; bridge has none, nor has custom without w
    basis : {"full", "interior"}, default "full"
        with boundary atoms (full); interior keeps only hats, which are zero at 0 and 1
    criterion : {"l2", "sup", "data"}, default "l2"
        what makes a feature good (l2)
    smooth : int or "auto", default "auto"
        adds Legendre atoms up to degree J, where the kernel can have them (auto: 3 or none, by validation)
    max_level : int or "auto", default 16
        the deepest level of hats (16)
    max_order : int or "auto", default "auto"
        at most K active inputs in a feature (no limit)
    only : list of str or int, default None
        the model has these terms and no others: inputs, or products of them (x2:x3); inputs alone also by
        position from 0. x2:x3 is any function of the two, with the effects of each alone. * is any input
    without : list of str or int, default None
        the model has none of these terms, nor any with more inputs that has one as a part; x1:* are all
        products with x1
    unrestricted : bool, default True
        whether a fit without only and without is validated as well, to say what they cost (yes; not with
        seconds)
    reg_lambda : float or "auto" or "theory", default "auto"
        the ridge; auto (the default): by validation; theory: N^(-1/2) for N rows
    target_means : {"auto", "no"}, default "auto"
        inputs that are made of categories of many levels: the mean of the target by category, how many rows
        that is of, and means by pairs of categories (auto: where validation rows want them)
    keep_statistics : bool, default False
        the model keeps the statistics of its rows, up to 8 M^2 bytes for M features, so that update and
        forget can change it; the loss is then squared
    ensemble : int or "auto", default "auto"
        averages so many selected models into one (auto: several where that is cheap; at most one a fold)
    effort : {"fast", "default", "best"}, default "default"
        what a model may cost: features of one kernel, which can be updated and forget rows (fast); or
        several models, where their weighted sum errs less (default; best is the same as yet)
    rows_in_model : bool, default True
        whether a model may contain its training rows, as centres of the kernel, where that makes its error
        smaller (yes)
    solver : {"auto", "direct", "dual", "iterative", "exact"}, default "auto"
        equations in the features, in the rows, or by steps (auto: the cheapest); exact: the kernel itself,
        without features
    folds : int or "auto", default 5
        how many parts the rows are split into for validation (5)
    sample : int or "auto", default 1000000
        of a table with more rows, choices, validation and intervals come from a fixed sample of so many;
        the weights from all rows (1000000)
    seconds : float or "auto", default "auto"
        begins no step of the search that would end later than this, reading included; what comes out then
        depends on the machine
    random_state : int, RandomState or None, default None
        seed of whatever is random; None is the same as 1, a RandomState is drawn from
    n_jobs : int or None, default None
        how many threads; None: OMP_NUM_THREADS if it is set, otherwise one for each processor, as is -1. No
        result depends on it
    verbose : int, default 0
        1: progress on standard error
    """

    @takes_old_names
    def __init__(self, *,
                 time: Optional[Union[int, str]] = None,
                 ignore: Optional[Sequence[Union[int, str]]] = None,
                 keep: Optional[Sequence[Union[int, str]]] = None,
                 categorical: Optional[Sequence[Union[int, str]]] = None,
                 loss: str = "auto",
                 scale: str = "auto",
                 target_scale: str = "auto",
                 features: Union[int, str] = "auto",
                 nonzeros: Union[int, str] = "auto",
                 select: str = "auto",
                 kernel: Union[str, Kernel] = "centred",
                 omega: Union[float, Sequence[float], str] = "auto",
                 basis: str = "full",
                 criterion: str = "l2",
                 smooth: Union[int, str] = "auto",
                 max_level: Union[int, str] = 16,
                 max_order: Union[int, str] = "auto",
                 only: Optional[Sequence[Union[int, str]]] = None,
                 without: Optional[Sequence[Union[int, str]]] = None,
                 unrestricted: bool = True,
                 reg_lambda: Union[float, str] = "auto",
                 target_means: str = "auto",
                 keep_statistics: bool = False,
                 ensemble: Union[int, str] = "auto",
                 effort: str = "default",
                 rows_in_model: bool = True,
                 solver: str = "auto",
                 folds: Union[int, str] = 5,
                 sample: Union[int, str] = 1000000,
                 seconds: Union[float, str] = "auto",
                 random_state: RandomState = None,
                 n_jobs: Optional[int] = None,
                 verbose: int = 0) -> None:
        self.time = time
        self.ignore = ignore
        self.keep = keep
        self.categorical = categorical
        self.loss = loss
        self.scale = scale
        self.target_scale = target_scale
        self.features = features
        self.nonzeros = nonzeros
        self.select = select
        self.kernel = kernel
        self.omega = omega
        self.basis = basis
        self.criterion = criterion
        self.smooth = smooth
        self.max_level = max_level
        self.max_order = max_order
        self.only = only
        self.without = without
        self.unrestricted = unrestricted
        self.reg_lambda = reg_lambda
        self.target_means = target_means
        self.keep_statistics = keep_statistics
        self.ensemble = ensemble
        self.effort = effort
        self.rows_in_model = rows_in_model
        self.solver = solver
        self.folds = folds
        self.sample = sample
        self.seconds = seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ClassifierParameters(OldNames):
    """
    Parameters
    ----------
    time : str or int, default None
        rows are a time series in the order of this column, a name or a position from 0: validation learns
        from earlier rows and predicts later ones; it stays an input unless it is ignored
    ignore : list of str or int, default None
        columns of X to leave out: names of columns, or their positions from 0
    keep : list of str or int, default None
        inputs however they look (row numbers, names of rows, constants): names of columns, or their
        positions from 0
    categorical : list of str or int, default None
        columns that are categories although they hold numbers: names of columns, or their positions from 0.
        Those of dtype category always are
    loss : {"auto", "squared", "logistic", "hinge", "huber"}, default "auto"
        what the weights make small; features are chosen by squares (auto: squared; of classes whichever
        validates better). squared: ridge; classes as -1 and 1, one against the rest. logistic: for classes:
        their log odds; softmax for several. hinge: for classes: squared, rows far on the right side cost
        nothing. huber: for numbers: outliers count less, by their distance
    class_weight : dict, "balanced" or None, default None
        None: the row weights alone; "balanced": classes of few rows count more, so that all count the same;
        or a weight for each class
    scale : {"auto", "quantile", "minmax", "none", "blend"}, default "auto"
        how inputs are brought to [0,1] (auto: quantile, blend or minmax, whichever validates better)
    features : int or "auto" or "theory", default "auto"
        how many features; auto (the default): by validation; theory: N^(1/4) for N rows
    nonzeros : int or "auto", default "auto"
        instead: how many non-zeros a row at most
    select : {"auto", "entropy", "residual", "paper"}, default "auto"
        how features are chosen: by the kernel alone (entropy), or from the data (residual; auto: that,
        where the kernel and other options allow it); paper: some of the source paper's set at random,
        interior basis
    kernel : {"centred", "sobolev", "laplace", "cosh", "brownian", "bridge", "neumann"} or dict, default
        "centred"
        the kernel of each input, with w for omega; or a custom one, a dict of expressions as Kernel has
        them: p and q, or alpha, beta, left and right
    omega : float or list of float or "auto", default "auto"
        the kernel's parameter, 1e-6 to 1e4, or a comma list, one for each input; auto (the default): by
        validation; bridge has none, nor has custom without w
    basis : {"full", "interior"}, default "full"
        with boundary atoms (full); interior keeps only hats, which are zero at 0 and 1
    criterion : {"l2", "sup", "data"}, default "l2"
        what makes a feature good (l2)
    smooth : int or "auto", default "auto"
        adds Legendre atoms up to degree J, where the kernel can have them (auto: 3 or none, by validation)
    max_level : int or "auto", default 16
        the deepest level of hats (16)
    max_order : int or "auto", default "auto"
        at most K active inputs in a feature (no limit)
    only : list of str or int, default None
        the model has these terms and no others: inputs, or products of them (x2:x3); inputs alone also by
        position from 0. x2:x3 is any function of the two, with the effects of each alone. * is any input
    without : list of str or int, default None
        the model has none of these terms, nor any with more inputs that has one as a part; x1:* are all
        products with x1
    unrestricted : bool, default True
        whether a fit without only and without is validated as well, to say what they cost (yes; not with
        seconds)
    reg_lambda : float or "auto" or "theory", default "auto"
        the ridge; auto (the default): by validation; theory: N^(-1/2) for N rows
    target_means : {"auto", "no"}, default "auto"
        inputs that are made of categories of many levels: the mean of the target by category, how many rows
        that is of, and means by pairs of categories (auto: where validation rows want them)
    keep_statistics : bool, default False
        the model keeps the statistics of its rows, up to 8 M^2 bytes for M features, so that update and
        forget can change it; the loss is then squared
    ensemble : int or "auto", default "auto"
        averages so many selected models into one (auto: several where that is cheap; at most one a fold)
    effort : {"fast", "default", "best"}, default "default"
        what a model may cost: features of one kernel, which can be updated and forget rows (fast); or
        several models, where their weighted sum errs less (default; best is the same as yet)
    rows_in_model : bool, default True
        whether a model may contain its training rows, as centres of the kernel, where that makes its error
        smaller (yes)
    solver : {"auto", "direct", "dual", "iterative", "exact"}, default "auto"
        equations in the features, in the rows, or by steps (auto: the cheapest); exact: the kernel itself,
        without features
    folds : int or "auto", default 5
        how many parts the rows are split into for validation (5)
    sample : int or "auto", default 1000000
        of a table with more rows, choices, validation and intervals come from a fixed sample of so many;
        the weights from all rows (1000000)
    seconds : float or "auto", default "auto"
        begins no step of the search that would end later than this, reading included; what comes out then
        depends on the machine
    random_state : int, RandomState or None, default None
        seed of whatever is random; None is the same as 1, a RandomState is drawn from
    n_jobs : int or None, default None
        how many threads; None: OMP_NUM_THREADS if it is set, otherwise one for each processor, as is -1. No
        result depends on it
    verbose : int, default 0
        1: progress on standard error
    """

    @takes_old_names
    def __init__(self, *,
                 time: Optional[Union[int, str]] = None,
                 ignore: Optional[Sequence[Union[int, str]]] = None,
                 keep: Optional[Sequence[Union[int, str]]] = None,
                 categorical: Optional[Sequence[Union[int, str]]] = None,
                 loss: str = "auto",
                 class_weight: ClassWeight = None,
                 scale: str = "auto",
                 features: Union[int, str] = "auto",
                 nonzeros: Union[int, str] = "auto",
                 select: str = "auto",
                 kernel: Union[str, Kernel] = "centred",
                 omega: Union[float, Sequence[float], str] = "auto",
                 basis: str = "full",
                 criterion: str = "l2",
                 smooth: Union[int, str] = "auto",
                 max_level: Union[int, str] = 16,
                 max_order: Union[int, str] = "auto",
                 only: Optional[Sequence[Union[int, str]]] = None,
                 without: Optional[Sequence[Union[int, str]]] = None,
                 unrestricted: bool = True,
                 reg_lambda: Union[float, str] = "auto",
                 target_means: str = "auto",
                 keep_statistics: bool = False,
                 ensemble: Union[int, str] = "auto",
                 effort: str = "default",
                 rows_in_model: bool = True,
                 solver: str = "auto",
                 folds: Union[int, str] = 5,
                 sample: Union[int, str] = 1000000,
                 seconds: Union[float, str] = "auto",
                 random_state: RandomState = None,
                 n_jobs: Optional[int] = None,
                 verbose: int = 0) -> None:
        self.time = time
        self.ignore = ignore
        self.keep = keep
        self.categorical = categorical
        self.loss = loss
        self.class_weight = class_weight
        self.scale = scale
        self.features = features
        self.nonzeros = nonzeros
        self.select = select
        self.kernel = kernel
        self.omega = omega
        self.basis = basis
        self.criterion = criterion
        self.smooth = smooth
        self.max_level = max_level
        self.max_order = max_order
        self.only = only
        self.without = without
        self.unrestricted = unrestricted
        self.reg_lambda = reg_lambda
        self.target_means = target_means
        self.keep_statistics = keep_statistics
        self.ensemble = ensemble
        self.effort = effort
        self.rows_in_model = rows_in_model
        self.solver = solver
        self.folds = folds
        self.sample = sample
        self.seconds = seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class FeaturesParameters(OldNames):
    """
    Parameters
    ----------
    scale : {"quantile", "minmax", "none", "blend"}, default "quantile"
        how inputs are brought to [0,1] (quantile)
    features : int or "auto", default 200
        how many features (200)
    nonzeros : int or "auto", default "auto"
        instead: how many non-zeros a row at most
    select : {"entropy", "paper"}, default "entropy"
        the best features by the kernel alone (entropy), or some of the source paper's set at random (paper;
        interior basis only)
    kernel : {"centred", "sobolev", "laplace", "cosh", "brownian", "bridge", "neumann"} or dict, default
        "centred"
        the kernel of each input, with w for omega; or a custom one, a dict of expressions as Kernel has
        them: p and q, or alpha, beta, left and right
    omega : float or list of float or "auto", default 1
        its parameter, 1e-6 to 1e4 (1), or a comma list, one for each input; not every kernel has it
    basis : {"full", "interior"}, default "full"
        with boundary atoms (full); interior keeps only hats, which are zero at 0 and 1
    criterion : {"l2", "sup", "data"}, default "l2"
        what makes a feature good (l2)
    smooth : int or "auto", default 0
        adds Legendre atoms up to degree J (0), where the kernel can have them
    max_level : int or "auto", default 16
        the deepest level of hats (16)
    max_order : int or "auto", default "auto"
        at most K active inputs in a feature (no limit)
    sparse_output : bool, default True
        transform gives a sparse matrix, otherwise an array
    random_state : int, RandomState or None, default None
        seed of whatever is random; None is the same as 1, a RandomState is drawn from
    n_jobs : int or None, default None
        how many threads; None: OMP_NUM_THREADS if it is set, otherwise one for each processor, as is -1. No
        result depends on it
    verbose : int, default 0
        1: progress on standard error
    """

    @takes_old_names
    def __init__(self, *,
                 scale: str = "quantile",
                 features: Union[int, str] = 200,
                 nonzeros: Union[int, str] = "auto",
                 select: str = "entropy",
                 kernel: Union[str, Kernel] = "centred",
                 omega: Union[float, Sequence[float], str] = 1,
                 basis: str = "full",
                 criterion: str = "l2",
                 smooth: Union[int, str] = 0,
                 max_level: Union[int, str] = 16,
                 max_order: Union[int, str] = "auto",
                 sparse_output: bool = True,
                 random_state: RandomState = None,
                 n_jobs: Optional[int] = None,
                 verbose: int = 0) -> None:
        self.scale = scale
        self.features = features
        self.nonzeros = nonzeros
        self.select = select
        self.kernel = kernel
        self.omega = omega
        self.basis = basis
        self.criterion = criterion
        self.smooth = smooth
        self.max_level = max_level
        self.max_order = max_order
        self.sparse_output = sparse_output
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


#: The parameters of compare(), with their defaults.
COMPARE_DEFAULTS: Dict[str, Any] = {
    "ignore": None,
    "keep": None,
    "categorical": None,
    "task": "auto",
    "scale": "auto",
    "features": (50, 100, 200),
    "kernel": "centred",
    "runs": 5,
    "random_state": None,
    "n_jobs": None,
    "verbose": 0,
}
COMPARE_HELP = """\
    ignore : list of str or int, default None
        columns of X to leave out: names of columns, or their positions from 0
    keep : list of str or int, default None
        inputs however they look (row numbers, names of rows, constants): names of columns, or their
        positions from 0
    categorical : list of str or int, default None
        columns that are categories although they hold numbers: names of columns, or their positions from 0.
        Those of dtype category always are
    task : {"auto", "regression", "classification"}, default "auto"
        what the target is; auto: text, or two values, are classes
    scale : {"auto", "quantile", "minmax", "none", "blend"}, default "auto"
        how inputs are brought to [0,1], for all methods (auto: each tuned method tries quantile, blend and
        minmax)
    features : int or list of int or "auto", default (50, 100, 200)
        numbers of features to compare at (50,100,200)
    kernel : {"centred", "sobolev", "laplace", "cosh", "brownian", "bridge", "neumann"} or dict, default
        "centred"
        the kernel of each input, with w for omega; or a custom one, a dict of expressions as Kernel has
        them: p and q, or alpha, beta, left and right
    runs : int or "auto", default 5
        how many splits: four fifths to learn from, a fifth, also of every class, to test on (5)
    random_state : int, RandomState or None, default None
        seed of whatever is random; None is the same as 1, a RandomState is drawn from
    n_jobs : int or None, default None
        how many threads; None: OMP_NUM_THREADS if it is set, otherwise one for each processor, as is -1. No
        result depends on it
    verbose : int, default 0
        1: progress on standard error
"""
