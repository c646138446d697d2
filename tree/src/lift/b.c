#include "base/a.h"
#include "lift/b.h"
#include <stdio.h>
