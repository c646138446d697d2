"""Functions, structs and constants of C. Written by scripts/python-interface: make regenerate."""
from ctypes import (CFUNCTYPE, Structure, c_char, c_char_p, c_double, c_int, c_size_t, c_ssize_t,
                    c_uint, c_uint64, c_void_p)
from typing import Any, Dict, List, Tuple

PURPOSE_READ = 1
PURPOSE_FIT = 2
PURPOSE_DESIGN = 4
PURPOSE_COMPARE = 8
PURPOSE_SOLVE = 16
PURPOSE_EXPORT = 32
PURPOSE_COLLECT = 64
PARAMETER_FLAG = 0
PARAMETER_INTEGER = 1
PARAMETER_NUMBER = 2
PARAMETER_INTEGERS = 3
PARAMETER_NUMBERS = 4
PARAMETER_CHOICE = 5
PARAMETER_CHARACTER = 6
PARAMETER_TEXT = 7
PARAMETER_COLUMN = 8
PARAMETER_COLUMNS = 9
PARAMETER_SIZE = 10
FORMAT_AUTO = 0
FORMAT_TEXT = 1
FORMAT_LIBSVM = 2
FORMAT_NPY = 3
COLUMN_TYPE_NUMBER = 0
COLUMN_TYPE_CATEGORY = 1
COLUMN_TYPE_CONSTANT = 2
COLUMN_TYPE_IDENTIFIER = 3
COLUMN_TYPE_DATE = 4
COLUMN_TYPE_COPY = 5
ROLE_INPUT = 0
ROLE_TARGET = 1
ROLE_WEIGHT = 2
ROLE_GROUP = 3
ROLE_IGNORED = 4
ELEMENT_FLOAT64 = 0
ELEMENT_FLOAT32 = 1
ELEMENT_FLOAT16 = 2
ELEMENT_INT8 = 3
ELEMENT_INT16 = 4
ELEMENT_INT32 = 5
ELEMENT_INT64 = 6
ELEMENT_UINT8 = 7
ELEMENT_UINT16 = 8
ELEMENT_UINT32 = 9
ELEMENT_UINT64 = 10
ELEMENT_BOOL8 = 11
DATE_NONE = 0
DATE_DAYS = 1
DATE_SECONDS = 2
DATE_MILLISECONDS = 3
DATE_MICROSECONDS = 4
DATE_NANOSECONDS = 5
SCALING_AUTO = 0
SCALING_QUANTILE = 1
SCALING_MINMAX = 2
SCALING_NONE = 3
SCALING_BLEND = 4
BASIS_FULL = 0
BASIS_INTERIOR = 1
LEVEL_KIND_CONSTANT = 0
LEVEL_KIND_EVEN = 1
LEVEL_KIND_LINEAR = 2
LEVEL_KIND_LEGENDRE = 3
LEVEL_KIND_HAT = 4
LEVEL_KIND_CATEGORY = 5
LEVEL_KIND_MISSING = 6
SELECT_AUTO = 0
SELECT_ENTROPY = 1
SELECT_RESIDUAL = 2
SELECT_PAPER = 3
CRITERION_L2 = 0
CRITERION_SUP = 1
CRITERION_DATA = 2
TASK_AUTO = 0
TASK_REGRESSION = 1
TASK_CLASSIFICATION = 2
LOSS_AUTO = 0
SOLVER_AUTO = 0
SOLVER_DIRECT = 1
SOLVER_DUAL = 2
SOLVER_ITERATIVE = 3
SOLVER_EXACT = 4
CLASS_WEIGHT_NONE = 0
CLASS_WEIGHT_BALANCED = 1
TARGET_SCALE_AUTO = 0
TARGET_SCALE_PLAIN = 1
TARGET_SCALE_ROOT = 2
VALIDATION_NONE = 0
VALIDATION_FOLDS = 1
VALIDATION_ROWS = 2
VALIDATION_PART = 3
VALIDATION_FORWARD = 4
OK = 0
BAD_ARGUMENT = 1
BAD_DATA = 2
NO_MEMORY = 3
TOO_LARGE = 4
SYSTEM = 5
CANCELLED = 6
FAMILY_CENTRED = 0
FAMILY_SOBOLEV = 1
FAMILY_LAPLACE = 2
FAMILY_COSH = 3
FAMILY_BROWNIAN = 4
FAMILY_BRIDGE = 5
FAMILY_CUSTOM = 6
FAMILY_CATEGORY = 7
FAMILY_PERIODIC = 9
FAMILY_NEUMANN = 8
LOSS_SQUARED = 1
LOSS_LOGISTIC = 2
LOSS_HINGE = 3
LOSS_HUBER = 4
VERSION_MAJOR = 0
VERSION_MINOR = 2
VERSION_PATCH = 0
MAX_LEVEL = 30
RECEIPT_SIZE = 65

PROGRESS = CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)
EXCHANGE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)


class Parameter(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("purposes", c_uint),
        ("value", c_char_p),
        ("default_text", c_char_p),
        ("lowest", c_double),
        ("highest", c_double),
        ("keywords", c_char_p),
        ("since", c_char_p),
        ("help", c_char_p),
    ]


class Column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("role", c_int),
        ("text", c_int),
        ("categories", c_size_t),
        ("missing", c_size_t),
    ]


class ColumnView(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("values", c_void_p),
        ("stride", c_ssize_t),
        ("element", c_int),
        ("date", c_int),
        ("mask", c_void_p),
        ("mask_stride", c_ssize_t),
        ("categories", c_size_t),
        ("category_names", c_void_p),
    ]


class MatrixView(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("values", c_void_p),
        ("rows", c_size_t),
        ("columns", c_size_t),
        ("row_stride", c_ssize_t),
        ("column_stride", c_ssize_t),
        ("element", c_int),
        ("names", c_void_p),
    ]


class ColumnViews(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("columns", c_void_p),
        ("count", c_size_t),
        ("rows", c_size_t),
    ]


class AxisOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("family", c_int),
        ("basis", c_int),
        ("omega", c_double),
        ("max_level", c_int),
        ("smooth", c_int),
        ("unit_height", c_int),
        ("p", c_void_p),
        ("q", c_void_p),
        ("user", c_void_p),
        ("categories", c_size_t),
        ("missing", c_int),
        ("p_text", c_char_p),
        ("q_text", c_char_p),
        ("alpha_text", c_char_p),
        ("beta_text", c_char_p),
        ("left_text", c_char_p),
        ("right_text", c_char_p),
    ]


class Level(Structure):
    _fields_ = [
        ("kind", c_int),
        ("order", c_int),
        ("atoms", c_uint64),
        ("sup", c_double),
        ("l2", c_double),
    ]


class DesignOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("select", c_int),
        ("criterion", c_int),
        ("features", c_size_t),
        ("nonzeros", c_size_t),
        ("max_order", c_size_t),
        ("sample", c_void_p),
        ("sample_rows", c_size_t),
        ("seed", c_uint64),
    ]


class Term(Structure):
    _fields_ = [
        ("input", c_size_t),
        ("level", c_size_t),
    ]


class Group(Structure):
    _fields_ = [
        ("first_feature", c_size_t),
        ("features", c_size_t),
        ("atoms", c_uint64),
        ("members", c_void_p),
        ("terms_count", c_size_t),
        ("terms", c_void_p),
        ("log2_score", c_double),
    ]


class Csr(Structure):
    _fields_ = [
        ("rows", c_size_t),
        ("columns", c_size_t),
        ("starts", c_void_p),
        ("indices", c_void_p),
        ("values", c_void_p),
    ]


class DatasetInfo(Structure):
    _fields_ = [
        ("task", c_int),
        ("task_found", c_int),
        ("rows", c_size_t),
        ("inputs", c_size_t),
        ("targets", c_size_t),
        ("classes", c_size_t),
        ("without_target", c_size_t),
        ("without_weight", c_size_t),
        ("missing", c_size_t),
        ("unseen", c_size_t),
        ("dropped", c_size_t),
        ("weighted", c_int),
        ("grouped", c_int),
        ("groups", c_size_t),
        ("timed", c_int),
        ("one_time", c_int),
        ("constant_target", c_int),
    ]


class ModelInfo(Structure):
    _fields_ = [
        ("task", c_int),
        ("loss", c_int),
        ("solver", c_int),
        ("scaling", c_int),
        ("select", c_int),
        ("target_scale", c_int),
        ("target_origin", c_double),
        ("target_sign", c_double),
        ("retransformation_bias", c_double),
        ("inputs", c_size_t),
        ("targets", c_size_t),
        ("inputs_used", c_size_t),
        ("classes", c_size_t),
        ("scores", c_size_t),
        ("features", c_size_t),
        ("nonzeros", c_double),
        ("rows", c_size_t),
        ("lambda", c_double),
        ("converged", c_int),
        ("seed", c_uint64),
        ("validation", c_int),
        ("folds", c_size_t),
        ("validation_rows", c_size_t),
        ("validation_error", c_double),
        ("validation_loss", c_double),
        ("components", c_size_t),
        ("interval_rows", c_size_t),
        ("effect_members", c_size_t),
        ("contained_rows", c_size_t),
    ]


class InputInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("categories", c_size_t),
        ("missing", c_int),
        ("date", c_int),
        ("category", c_int),
        ("used", c_int),
        ("part", c_char_p),
    ]


class DataWarnings(Structure):
    _fields_ = [
        ("outside", c_size_t),
        ("unseen", c_size_t),
        ("missing", c_size_t),
        ("clamped", c_size_t),
        ("continued", c_size_t),
    ]


class StatisticsInfo(Structure):
    _fields_ = [
        ("rows", c_uint64),
        ("features", c_size_t),
        ("members", c_size_t),
        ("targets", c_size_t),
        ("integers", c_uint64),
    ]


class Outputs(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("scores", c_void_p),
        ("predictions", c_void_p),
        ("probabilities", c_void_p),
        ("level", c_double),
        ("lower", c_void_p),
        ("upper", c_void_p),
        ("class_sets", c_void_p),
        ("deviations", c_void_p),
        ("explanation", c_void_p),
        ("effects", c_void_p),
        ("warnings", c_void_p),
        ("warnings_size", c_size_t),
    ]


class MethodResult(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("tuned", c_int),
        ("features", c_size_t),
        ("runs", c_size_t),
        ("error", c_double),
        ("sd", c_double),
        ("train_seconds", c_double),
        ("train_low", c_double),
        ("train_high", c_double),
        ("lift_seconds", c_double),
        ("nonzeros", c_double),
        ("bandwidth", c_double),
        ("kernel", c_char_p),
        ("scaling", c_int),
    ]


# Of each function the type of its result and those of its arguments.
FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    "entropic_version": (c_char_p, []),
    "entropic_status_name": (c_char_p, [c_int]),
    "entropic_status_text": (c_char_p, [c_int]),
    "entropic_context_create": (c_int, [c_void_p]),
    "entropic_context_free": (None, [c_void_p]),
    "entropic_context_message": (c_char_p, [c_void_p]),
    "entropic_context_set_threads": (c_int, [c_void_p, c_int]),
    "entropic_context_set_progress": (c_int, [c_void_p, PROGRESS, c_void_p]),
    "entropic_bytes_free": (None, [c_void_p]),
    "entropic_parameter_count": (c_size_t, []),
    "entropic_parameter_describe": (c_int, [c_void_p, c_size_t, c_void_p, c_size_t]),
    "entropic_parameter_choice": (c_size_t, [c_size_t, c_size_t, c_void_p, c_size_t, c_void_p]),
    "entropic_parameters_create": (c_int, [c_void_p, c_int, c_void_p]),
    "entropic_parameters_free": (None, [c_void_p]),
    "entropic_parameters_set": (c_int, [c_void_p, c_void_p, c_char_p, c_char_p]),
    "entropic_parameters_set_flag": (c_int, [c_void_p, c_void_p, c_char_p, c_int]),
    "entropic_parameters_set_integer": (c_int, [c_void_p, c_void_p, c_char_p, c_uint64]),
    "entropic_parameters_set_number": (c_int, [c_void_p, c_void_p, c_char_p, c_double]),
    "entropic_parameters_set_numbers": (c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_size_t]),
    "entropic_parameters_get": (c_char_p, [c_void_p, c_char_p]),
    "entropic_parameters_is_set": (c_int, [c_void_p, c_char_p]),
    "entropic_parameters_check": (c_int, [c_void_p, c_void_p]),
    "entropic_parameters_set_name_style": (c_int, [c_void_p, c_void_p, c_char_p, c_char]),
    "entropic_report_free": (None, [c_void_p]),
    "entropic_report_json": (c_char_p, [c_void_p]),
    "entropic_report_number": (c_int, [c_void_p, c_char_p, c_void_p]),
    "entropic_report_text": (c_size_t, [c_void_p, c_char_p, c_void_p, c_size_t]),
    "entropic_report_size": (c_size_t, [c_void_p, c_char_p]),
    "entropic_table_load": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "entropic_table_load_with_schema": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p]),
    "entropic_table_create": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p]),
    "entropic_table_free": (None, [c_void_p]),
    "entropic_table_rows": (c_size_t, [c_void_p]),
    "entropic_table_columns": (c_size_t, [c_void_p]),
    "entropic_table_notice": (c_char_p, [c_void_p, c_size_t]),
    "entropic_table_name": (c_char_p, [c_void_p, c_size_t]),
    "entropic_table_column": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "entropic_table_category": (c_char_p, [c_void_p, c_size_t, c_size_t]),
    "entropic_table_values": (c_void_p, [c_void_p]),
    "entropic_table_borrow": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p]),
    "entropic_table_borrow_matrix": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_table_from_arrow": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_scaler_create": (c_int, [c_void_p, c_int, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p]),
    "entropic_scaler_free": (None, [c_void_p]),
    "entropic_scaler_apply": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_scaler_save_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_scaler_load_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_axis_options_init": (c_int, [c_void_p, c_size_t]),
    "entropic_kernel_create": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_kernel_free": (None, [c_void_p]),
    "entropic_kernel_inputs": (c_size_t, [c_void_p]),
    "entropic_kernel_axis": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "entropic_kernel_value": (c_double, [c_void_p, c_void_p, c_void_p]),
    "entropic_kernel_levels": (c_size_t, [c_void_p, c_size_t]),
    "entropic_kernel_level": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "entropic_kernel_level_name": (c_size_t, [c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "entropic_kernel_atom": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_double, c_void_p, c_void_p]),
    "entropic_design_options_init": (c_int, [c_void_p, c_size_t]),
    "entropic_design_create": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_design_free": (None, [c_void_p]),
    "entropic_design_kernel": (c_void_p, [c_void_p]),
    "entropic_design_features": (c_size_t, [c_void_p]),
    "entropic_design_groups": (c_size_t, [c_void_p]),
    "entropic_design_nonzeros": (c_size_t, [c_void_p]),
    "entropic_design_exhausted": (c_int, [c_void_p]),
    "entropic_design_base": (c_size_t, [c_void_p, c_size_t]),
    "entropic_design_group": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "entropic_design_atom": (c_uint64, [c_void_p, c_void_p, c_size_t, c_uint64]),
    "entropic_design_save": (c_int, [c_void_p, c_void_p, c_char_p]),
    "entropic_design_load": (c_int, [c_void_p, c_char_p, c_void_p]),
    "entropic_design_save_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_design_load_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_design_make": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p]),
    "entropic_lift_create": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_lift_free": (None, [c_void_p]),
    "entropic_lift_inputs": (c_size_t, [c_void_p]),
    "entropic_lift_features": (c_size_t, [c_void_p]),
    "entropic_lift_nonzeros": (c_size_t, [c_void_p]),
    "entropic_workspace_create": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_workspace_free": (None, [c_void_p]),
    "entropic_lift_dense": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "entropic_lift_sparse": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p]),
    "entropic_lift_csr": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_csr_free": (None, [c_void_p]),
    "entropic_dataset_create": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_dataset_create_with_schema": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_dataset_free": (None, [c_void_p]),
    "entropic_dataset_describe": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "entropic_dataset_dropped": (c_char_p, [c_void_p, c_size_t, c_void_p]),
    "entropic_dataset_original": (c_char_p, [c_void_p, c_size_t]),
    "entropic_dataset_notice": (c_char_p, [c_void_p, c_size_t]),
    "entropic_fit": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_free": (None, [c_void_p]),
    "entropic_fit_html": (c_int, [c_void_p, c_void_p, c_void_p, c_char_p, c_char_p]),
    "entropic_model_describe": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "entropic_model_report": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_date_part": (c_double, [c_double, c_char_p]),
    "entropic_model_fill_means": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t]),
    "entropic_model_input": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "entropic_model_category": (c_char_p, [c_void_p, c_size_t, c_size_t]),
    "entropic_model_target": (c_char_p, [c_void_p, c_size_t]),
    "entropic_model_class": (c_char_p, [c_void_p, c_size_t]),
    "entropic_model_range": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "entropic_model_kernel": (c_void_p, [c_void_p]),
    "entropic_model_design": (c_void_p, [c_void_p]),
    "entropic_model_weights": (c_void_p, [c_void_p, c_size_t, c_void_p]),
    "entropic_model_predict": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_model_probabilities": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_model_save": (c_int, [c_void_p, c_void_p, c_char_p]),
    "entropic_model_save_over": (c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_size_t]),
    "entropic_model_load": (c_int, [c_void_p, c_char_p, c_void_p]),
    "entropic_model_save_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_load_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_row_reader_open": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_int, c_void_p]),
    "entropic_row_reader_open_table": (c_int, [c_void_p, c_void_p, c_void_p, c_int, c_void_p]),
    "entropic_row_reader_free": (None, [c_void_p]),
    "entropic_row_reader_notice": (c_char_p, [c_void_p, c_size_t]),
    "entropic_row_reader_next": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_score": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_score_intervals": (c_int, [c_void_p, c_void_p, c_void_p, c_double, c_void_p]),
    "entropic_frozen_design_make": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_frozen_design_load": (c_int, [c_void_p, c_char_p, c_void_p]),
    "entropic_frozen_design_load_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_frozen_design_free": (None, [c_void_p]),
    "entropic_row_reader_open_design": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "entropic_row_reader_open_design_table": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_create": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_create_for_design": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_of_model": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_free": (None, [c_void_p]),
    "entropic_statistics_design": (c_void_p, [c_void_p]),
    "entropic_statistics_describe": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "entropic_statistics_collect": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_merge": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_subtract": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_solve": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_receipt": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_model_receipt": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_model_update": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_forget": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_refit": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_model_statistics_bytes": (c_uint64, [c_void_p]),
    "entropic_statistics_save": (c_int, [c_void_p, c_void_p, c_char_p]),
    "entropic_statistics_load": (c_int, [c_void_p, c_char_p, c_void_p]),
    "entropic_statistics_save_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_statistics_load_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_explain": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_explanation_free": (None, [c_void_p]),
    "entropic_explanation_inputs": (c_size_t, [c_void_p]),
    "entropic_explanation_input": (c_size_t, [c_void_p, c_size_t]),
    "entropic_explanation_report": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_explanation_html": (c_int, [c_void_p, c_void_p, c_void_p, c_char_p, c_char_p]),
    "entropic_model_export": (c_int, [c_void_p, c_void_p, c_void_p, c_char_p]),
    "entropic_model_export_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_outputs_init": (c_int, [c_void_p, c_size_t]),
    "entropic_predict": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_compare": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "entropic_comparison_free": (None, [c_void_p]),
    "entropic_comparison_count": (c_size_t, [c_void_p]),
    "entropic_comparison_get": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "entropic_comparison_errors": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_comparison_constant": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p]),
    "entropic_comparison_load": (c_double, [c_void_p]),
    "entropic_scaling_name": (c_char_p, [c_int]),
    "entropic_shard_open": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_size_t, c_void_p]),
    "entropic_shard_of_table": (c_int, [c_void_p, c_void_p, c_void_p]),
    "entropic_shard_place": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t]),
    "entropic_shard_free": (None, [c_void_p]),
    "entropic_shard_answer": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "entropic_answers_merge": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_void_p]),
    "entropic_answer_of_failure": (c_int, [c_void_p, c_int, c_char_p, c_char_p, c_void_p, c_void_p]),
    "entropic_answer_give": (c_int, [c_void_p, c_void_p, c_size_t]),
    "entropic_answer_fail": (None, [c_void_p, c_char_p]),
    "entropic_table_of_shards": (c_int, [c_void_p, EXCHANGE, c_void_p, c_size_t, c_void_p, c_void_p]),
}
