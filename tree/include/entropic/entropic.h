#define ENTROPIC_API
ENTROPIC_API int entropic_one(void);
ENTROPIC_API const char
    *entropic_two(int (*f)(int));
