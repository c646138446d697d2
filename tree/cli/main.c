#include "entropic/entropic.h"
#include "own.h"
