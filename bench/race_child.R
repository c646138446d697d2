# The process of one learner of `make race` in R: reads, fits, predicts, and says when it begins each.
#
#   Rscript race_child.R LEARNER TRAIN TEST TASK TARGET CATEGORIES THREADS OUT
#
# CATEGORIES are names of columns with commas between them, or "". Predictions are written as `entropic predict` does.
# `Rscript race_child.R --versions NAME...` prints the versions of packages, a line each; "-" for what is not there.
words <- commandArgs(trailingOnly = TRUE)
few <- 10 # levels: above, a category is a random effect

phase <- function(name) {
  cat(sprintf("race: %s\n", name))
  flush(stdout())
}

versions <- function(names) {
  for (name in names) {
    cat(name, tryCatch(as.character(packageVersion(name)), error = function(problem) "-"), "\n")
  }
}

read_rows <- function(path) {
  data.table::fread(path, data.table = FALSE, na.strings = c("", "?"), nThread = threads, stringsAsFactors = FALSE)
}

# The known values, what to put for missing ones, and which columns need a 0/1 column: all from training rows.
learn_encoding <- function(rows) {
  numbers <- setdiff(names(rows), c(target, categories))
  list(
    median = sapply(rows[numbers], median, na.rm = TRUE),
    gaps = numbers[sapply(rows[numbers], anyNA)],
    levels = lapply(rows[categories], function(column) {
      counts <- table(ifelse(is.na(column), "(missing)", column))
      names(counts)[order(-counts)]
    })
  )
}

encode <- function(rows, encoding) {
  for (name in encoding$gaps) rows[[paste0(name, "_missing")]] <- as.numeric(is.na(rows[[name]]))
  for (name in names(encoding$median)) rows[[name]][is.na(rows[[name]])] <- encoding$median[[name]]
  for (name in categories) {
    column <- as.character(rows[[name]])
    column[is.na(column)] <- "(missing)"
    column[!(column %in% encoding$levels[[name]])] <- encoding$levels[[name]][1] # unknown: the most frequent one
    rows[[name]] <- factor(column, levels = encoding$levels[[name]])
  }
  rows
}

term_of <- function(rows, name) {
  column <- rows[[name]]
  if (is.factor(column)) return(if (nlevels(column) > few) sprintf("s(`%s`, bs = \"re\")", name) else sprintf("`%s`", name))
  values <- length(unique(column))
  if (values < 4) return(sprintf("`%s`", name))
  if (values <= few) return(sprintf("s(`%s`, k = %d)", name, values - 1))
  sprintf("s(`%s`)", name)
}

fit_bam <- function(rows) {
  inputs <- setdiff(names(rows), target)
  terms <- sapply(inputs, function(name) term_of(rows, name))
  formula <- as.formula(sprintf("`%s` ~ %s", target, paste(terms, collapse = " + ")), env = globalenv())
  family <- if (classes) binomial() else gaussian()
  mgcv::bam(formula, family = family, data = rows, discrete = TRUE, nthreads = threads)
}

fit_earth <- function(rows) {
  inputs <- rows[setdiff(names(rows), target)]
  if (!classes) return(earth::earth(inputs, rows[[target]], degree = 2))
  earth::earth(inputs, rows[[target]], degree = 2, glm = list(family = binomial))
}

predict_rows <- function(model, rows) {
  rows <- rows[setdiff(names(rows), target)]
  as.vector(predict(model, rows, type = if (classes) "response" else if (inherits(model, "earth")) "earth" else "link"))
}

race <- function() {
  phase("read")
  rows <- read_rows(train)
  if (classes) {
    known <- sort(unique(rows[[target]]))
    if (length(known) != 2) stop("only two classes")
    rows[[target]] <- as.numeric(rows[[target]] == known[2])
  }
  phase("fit")
  encoding <- learn_encoding(rows)
  rows <- encode(rows, encoding)
  model <- if (learner == "bam") fit_bam(rows) else fit_earth(rows)
  phase("read-test")
  test_rows <- read_rows(test)
  phase("predict")
  found <- predict_rows(model, encode(test_rows, encoding))
  phase("write")
  table <- data.frame(prediction = found)
  if (classes) {
    table <- data.frame(known[1 + (found > 0.5)], 1 - found, found)
    names(table) <- c("prediction", paste0("p_", known))
  }
  write.csv(table, out, row.names = FALSE, quote = FALSE)
  phase("done")
}

if (words[1] == "--versions") {
  versions(words[-1])
} else {
  learner <- words[1]
  train <- words[2]
  test <- words[3]
  classes <- words[4] == "classes"
  target <- words[5]
  categories <- strsplit(words[6], ",")[[1]]
  threads <- as.integer(words[7])
  out <- words[8]
  suppressPackageStartupMessages(library(if (learner == "bam") "mgcv" else "earth", character.only = TRUE))
  suppressPackageStartupMessages(library("data.table"))
  race()
}
