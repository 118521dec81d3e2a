#include "CLoopShims.h"
