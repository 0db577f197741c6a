// The executable of an app whose code is in a library of its own, as in a debug build of Xcode 16:
// the program App and the library App.debug.dylib.

extern int visit_shop(void);

int main(void) { return visit_shop(); }
