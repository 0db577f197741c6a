// The executable of an app in a debug build of Xcode: its code is in App.debug.dylib.

extern int app_main(void);

int main(void) { return app_main(); }
