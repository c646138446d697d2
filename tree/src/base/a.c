#include "entropic/entropic.h"
