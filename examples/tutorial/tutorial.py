# %% [markdown]
# # Tutorial: one real table, from the first look to C code
#
# A weather log of New York's airports has holes. How warm was it? This goes through all that one does with a table: look,
# fit, read the figures, check them on rows kept apart, compare, explain, ship, keep up to date. It takes five minutes to read.
# Python does the work; the command that does the same stands beside it.
#
# The table is in [examples/data](../examples/data/README.md). The cells are
# [examples/tutorial/tutorial.py](../examples/tutorial/tutorial.py), where each stands with its text, as notebooks and editors
# read them. They run as they stand; what is printed here, and every picture, is what they gave. To run all of it yourself,
# after `make build`:
#
# ```console
# $ scripts/tutorial my-folder
# ```
#
# The pictures are drawn by [pictures.py](../examples/tutorial/pictures.py), a file of the tutorial that needs no package.
# With matplotlib you would use that.

# %% [markdown]
# ## Look at the table

# %%
import pandas
import pictures

train, test = pandas.read_csv("weather-train.csv"), pandas.read_csv("weather-test.csv")
x, y = train.drop(columns="temperature"), train["temperature"]
x_test, y_test = test.drop(columns="temperature"), test["temperature"]
print(train.iloc[[0, 300, 900]].to_string(index=False))
print("rows:", len(train), "and", len(test), " empty cells:", int(x.isna().sum().sum()))

# %% [markdown]
# Nine columns of numbers, one of text, and many empty cells: `gust` is empty when there were no gusts. Nothing has to be
# done about either. What is the target like?

# %%
year, degrees = (0, 365, 50, "day of the year"), (-20, 40, 10, "temperature, °C")  # from, to, step, name
pictures.points("tutorial-table.svg", "Measured temperature by day of the year, training rows",
                year, degrees, [(train["day"], y)])

# %% [markdown]
# ![The training rows: temperature by day of the year. It rises from about 0 in January to about 25 in July and falls again, and
# days of one week differ by ten degrees and more.](pictures/tutorial-table.svg)
#
# There is a season, which no straight line can follow, and a spread around it that the other columns may explain.

# %% [markdown]
# ## Fit

# %%
from entropic import EntropicRegressor

model = EntropicRegressor(keep_statistics=True).fit(x, y)
model.save("from-python.entropic")
report = model.report_
print("%d features of %d inputs" % (report["features"], len(report["inputs_used"])))
print("validation: rmse %(rmse).2f, standard error %(standard_error).2f" % report["validation"])
print("references: mean %(mean).2f, linear %(linear).2f" % report["references"])

# %% [markdown]
# `keep_statistics` is for the [last part](#update-and-forget); it makes the file larger and changes nothing else. The command
# gives the same model, byte for byte:

# %% [sh]
# entropic fit weather-train.csv --target temperature --keep-statistics -o weather.entropic
# cmp weather.entropic from-python.entropic

# %% [markdown]
# (Here a line of seconds is left out, and long numbers are cut to four digits after the point.) How to read it:
#
# - The *notices* say what was taken for what. Read them once: a wrong guess stands there.
# - `validation` is the root mean square error to expect on new rows, with its standard error. It comes from rows that took
#   no part in any choice.
# - `references` are the errors on the same rows of two simple models: the mean, and a linear model. A fit that is not
#   clearly better than these has not learnt much. Here it is.
# - `features` is the number of features of the model, which is an average of five; each of the five has fewer.
# - Features, `kernel`, `omega` and `lambda` were chosen by validation. [The manual](manual.md#what-fit-prints) explains
#   each line.

# %% [markdown]
# ## Check it on rows kept apart

# %%
import numpy

def rmse(predicted):
    return float(numpy.sqrt(numpy.mean((predicted - y_test) ** 2)))

predicted = model.predict(x_test)
print("rmse on %d test rows: %.2f" % (len(test), rmse(predicted)))
pictures.points("tutorial-predicted.svg", "Predicted against measured temperature, test rows",
                (-20, 40, 10, "measured, °C"), (-20, 40, 10, "predicted, °C"), [(y_test, predicted)], diagonal=True)

# %% [sh]
# entropic score weather.entropic weather-test.csv --quiet | head -n 5

# %% [markdown]
# ![Predicted against measured temperature of the test rows: the points follow the diagonal from -10 to 35 degrees, most within
# three degrees.](pictures/tutorial-predicted.svg)
#
# The error is smaller than validation said. Validation fits without a fifth of the training rows, so it has larger holes to
# fill than the model that is kept.

# %% [markdown]
# ## Compare with others
# The same rows, for a linear model and for gradient boosting. They need the text column as numbers, and the linear one needs
# something in the empty cells:

# %%
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

filled = make_column_transformer((OneHotEncoder(), ["airport"]), remainder=SimpleImputer(add_indicator=True))
coded = make_column_transformer((OrdinalEncoder(), ["airport"]), remainder="passthrough")
linear = make_pipeline(filled, LinearRegression()).fit(x, y)
boosting = make_pipeline(coded, HistGradientBoostingRegressor(categorical_features=[0], random_state=0)).fit(x, y)
errors = {"always the mean": rmse(y.mean()), "linear": rmse(linear.predict(x_test)),
          "gradient boosting": rmse(boosting.predict(x_test)), "Entropic": rmse(predicted)}
errors = {name: round(error, 1) for name, error in errors.items()}
print(errors)
pictures.lengths("tutorial-errors.svg", "Errors of four models on the test rows",
                 "root mean square error on the test rows, °C", list(errors), list(errors.values()),
                 form="%.1f")

# %% [markdown]
# ![Bars of the four errors: the mean and the linear model nearly alike, gradient boosting about a third of that, Entropic the
# smallest.](pictures/tutorial-errors.svg)
#
# One table proves little: [accuracy.md](accuracy.md) has twelve, those where boosting is better among them.

# %% [markdown]
# ## Explain it
# ### Which inputs matter
# A model is a sum of effects: of single inputs, of pairs, and so on. The variance of each is its share.

# %%
explanation = model.explain()
shares = explanation.to_frame()
print(shares.head(5).round(3).to_string())
print(explanation.pairs_to_frame().head(3).round(4).to_string(index=False))
pictures.lengths("tutorial-shares.svg", "Shares of the inputs in the variance of the score",
                 "share of the variance: total; full colour: alone", list(shares.index),
                 list(shares["total"]), list(shares["first"]), "%.3f")

# %% [sh]
# entropic explain weather.entropic | head -n 4
# entropic explain weather.entropic weather-train.csv --html weather.html > /dev/null

# %% [markdown]
# ![Bars of shares: the day has 0.91 of the variance, all other inputs 0.03 and less.](pictures/tutorial-shares.svg)
#
# `first` is what an input does alone, `total` what it does with others. The season is nine tenths of all. The page
# `weather.html` draws each effect, exactly, and has sliders to try rows with; [explaining.md](explaining.md) says how to read
# it. Here are three views of it that need only a few lines.
#
# ### What one input does
# Shapley values split each prediction among its inputs. Plotted against the input they show its effect:

# %%
split = model.shapley_values(x)
column = split.feature_names.index("day")
pictures.points("tutorial-day.svg", "Shapley value of the day, training rows", year,
                (-30, 20, 10, "effect of the day, °C"), [(x["day"], split.values[:, column])])
column = split.feature_names.index("pressure")
known = x["pressure"].notna()
pictures.points("tutorial-pressure.svg", "Shapley value of the air pressure, training rows",
                (990, 1045, 10, "air pressure, hPa"), (-6, 4, 2, "effect of the pressure, °C"),
                [(x["pressure"][known], split.values[known, column])])
print("where the pressure is not known: %.1f on average" % split.values[~known, column].mean())

# %% [markdown]
# ![The effect of the day: a wave from -12 in winter to +12 in summer, with spells of a week or two up to eight
# degrees off it.](pictures/tutorial-day.svg)
#
# ![The effect of the pressure: falling, from +3 at low pressure to -4 at high pressure.](pictures/tutorial-pressure.svg)
#
# The day is a wave with warm and cold spells on it: neighbouring rows of the log tell how warm these days were. High pressure
# goes with cold air. The dots of one day do not lie on each other, because effects of pairs are in them, too.
#
# ### What two inputs do together
# The largest pair is day and humidity. Predict a grid of both, for some rows as the rest, and average: that is the partial
# dependence. Then take away what each does alone. What is left is the pair's own:

# %%
days, humidities = (numpy.arange(24) + 0.5) * 365 / 24, 20 + (numpy.arange(16) + 0.5) * 80 / 16
rest = x.iloc[::20]
grid = pandas.concat([rest.assign(day=d, humidity=h) for h in humidities for d in days])
means = model.predict(grid).reshape(len(humidities), len(days), len(rest)).mean(axis=2)
pair = means - means.mean(axis=0) - means.mean(axis=1)[:, None] + means.mean()
print("from %.1f to %.1f" % (pair.min(), pair.max()))
pictures.cells("tutorial-pair.svg", "What day and humidity do together", year,
               (20, 100, 20, "humidity, %"), pair.tolist(), 3)

# %% [markdown]
# ![A map of day and humidity: in winter moist air is warmer and dry air colder than both say alone, in summer the other way
# round.](pictures/tutorial-pair.svg)
#
# In winter moist air goes with warmth, in summer dry air does. No sum of single effects can say so.
#
# ### One prediction

# %%
row = 98
effects = pandas.Series(model.shapley_values(x_test.iloc[[row]]).values[0], x_test.columns)
effects = effects.sort_values(key=abs, ascending=False)
print("measured %.1f, predicted %.1f" % (y_test[row], predicted[row]))
steps = pandas.concat([effects[:5], pandas.Series({"the others": effects[5:].sum()})])
pictures.steps("tutorial-row.svg", "One prediction, split among its inputs", "one test row, °C",
               list(steps.index), list(steps), split.base_values)

# %% [sh]
# entropic explain weather.entropic --row weather-test.csv:100 --quiet | head -n 4

# %% [markdown]
# ![Steps from the mean of all rows to the prediction of this row, one for each input, the largest
# first.](pictures/tutorial-row.svg)
#
# The row is line 100 of the file: a header, then 98 rows before it. The steps add up to the prediction exactly. They say what the model did, not what causes the weather.

# %% [markdown]
# ## How far off may it be?

# %%
bounds = model.predict_interval(x_test, level=0.9)
inside = (bounds[:, 0] <= y_test) & (y_test <= bounds[:, 1])
width = (bounds[:, 1] - bounds[:, 0]).mean()
print("%.1f %% of the test rows are within, the mean width is %.1f" % (100 * inside.mean(), width))
shown = slice(None, None, 3)
pictures.intervals("tutorial-intervals.svg", "Intervals of 90 % and measured temperatures, every third test row", year, degrees,
                   test["day"][shown], bounds[shown, 0], bounds[shown, 1], y_test[shown])

# %% [sh]
# entropic score weather.entropic weather-test.csv --interval 0.9 --quiet | tail -n 2

# %% [markdown]
# ![Intervals of test rows as bars over the year, with the measured temperatures as dots: nearly all dots are on their
# bars.](pictures/tutorial-intervals.svg)
#
# Intervals of level 0.9 should hold nine of ten rows, and do. [intervals.md](intervals.md) says what is promised and what is
# not.

# %% [markdown]
# ## Ship it
# The model becomes one file of C99 that needs nothing. Compile it with a program of your own; categories and inputs go by name:

# %%
with open("weather.c", "w") as file:
    file.write(model.to_c())

# %% [sh]
# entropic export weather.entropic -o weather.c
# cat > program.c <<'END'
# #define MODEL_DECLARATIONS
# #include "weather.c"
# #include <math.h>
# #include <stdio.h>
#
# int main(void) {
#   double x[MODEL_INPUTS], y, lower, upper;
#   for (int i = 0; i < MODEL_INPUTS; i++)
#     x[i] = NAN; /* not known */
#   x[model_input("airport")] = model_category(model_input("airport"), "JFK");
#   x[model_input("day")] = 200;
#   x[model_input("hour")] = 12;
#   x[model_input("humidity")] = 60;
#   model_predict(x, &y);
#   model_interval(x, 0.9, &lower, &upper);
#   printf("%.1f, from %.1f to %.1f\n", y, lower, upper);
#   return 0;
# }
# END
# cc -std=c99 -O2 program.c weather.c -o program -lm
# ./program
# printf 'airport,day,hour,humidity,wind_from,wind,gust,rain,pressure,visibility\nJFK,200,12,60,,,,,,\n' > one-row.csv
# entropic predict weather.entropic one-row.csv --interval 0.9 --quiet

# %% [markdown]
# Both give the same answer. `--lang js` writes a module of JavaScript instead. [The manual](manual.md#shipping-a-model) has all
# of it.

# %% [markdown]
# ## Update and forget
# The log goes on, and someone wants rows removed. A model that keeps its statistics takes rows in and forgets them without a
# refit. The *receipt* is a hash of the statistics: if two receipts are equal, the models have learnt from the same rows.

# %%
before = model.receipt()
updated = model.update(x_test, y_test)
print("added:", updated["rows"], " receipt as before:", updated["receipt"] == before)
forgotten = model.forget(x_test, y_test)
print("forgotten:", forgotten["rows"], " receipt as before:", forgotten["receipt"] == before)

# %% [sh]
# entropic receipt weather.entropic
# entropic update weather.entropic weather-test.csv --quiet
# entropic forget weather.entropic weather-test.csv --quiet

# %% [markdown]
# The last receipt is the first one again. A receipt is the same on every machine, so another party can check it. Features, scaler and lambda stay those of the fit;
# [the manual](manual.md#shards-updates-forgetting) says what that means for rows that must be forgotten altogether.
#
# ## Next
# [The guide](guide.md) has the same tasks one by one, for classes too. `entropic fit TABLE.csv --target COLUMN` is all that your
# own table needs.
