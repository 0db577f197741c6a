"""Drives headless Chromium through its DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.build-tools/websocket-client")]
try:
    import websocket
except ImportError:
    sys.exit("error: there is no package websocket-client; `bash .ci/run install` installs it")


class Browser:
    """A browser with one page. `console` has its errors, and `requests` what it loads."""

    def __enter__(self):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            sys.exit("error: there is no chromium; `bash .ci/run install` installs it")
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--remote-debugging-port=0", "--remote-allow-origins=*",
             f"--user-data-dir={self.folder.name}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.folder.cleanup()

    def connect(self):
        path, limit = os.path.join(self.folder.name, "DevToolsActivePort"), time.monotonic() + 60
        while not os.path.exists(path) or not open(path).read().count("\n"):
            if time.monotonic() > limit or self.process.poll() is not None:
                sys.exit("error: chromium did not start")
            time.sleep(0.05)
        port, address = open(path).read().split("\n")[:2]
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}{address}", timeout=120)
        self.number, self.session, self.console, self.requests, self.loaded = 0, None, [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network", "Accessibility":
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}
                                    | ({"sessionId": self.session} if self.session else {})))
        wanted = self.number
        while (message := self.receive()).get("id") != wanted:
            pass
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']['message']}")
        return message["result"]

    def receive(self):
        message = json.loads(self.socket.recv())
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith("data:"):
            self.requests.append(parameters["request"]["url"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.console.append(parameters["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(str(parameters["args"]))
        elif method == "Page.javascriptDialogOpening":
            self.console.append("a dialog opened")
        return message

    def open(self, path, width=1600, height=1000, scale=1, dark=False, fragment=""):
        """Opens a file and returns the seconds until it is rendered."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
            mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}, {"name": "prefers-reduced-motion",
                "value": "reduce"}])
        self.navigate("about:blank")
        self.console.clear()
        self.requests.clear()
        begin = time.monotonic()
        self.navigate(f"file://{os.path.abspath(path)}{fragment}")
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        seconds = time.monotonic() - begin
        if not self.run("'ready' in document.documentElement.dataset"):
            self.console.append("the script did not end")
        return seconds

    def navigate(self, url):
        self.loaded = False
        self.call("Page.navigate", url=url)
        while not self.loaded:
            self.receive()

    def run(self, code):
        """Returns the value of an expression, or of its promise."""
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{code}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def key(self, name, modifiers=0):
        """Presses a key. The modifier 8 is Shift."""
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
            "ArrowDown": 40, " ": 32}
        text = {"text": "\r"} if name == "Enter" else {"text": name} if len(name) == 1 else {}
        for kind in ("keyDown" if text else "rawKeyDown"), "keyUp":
            self.call("Input.dispatchKeyEvent", type=kind, key=name,
                windowsVirtualKeyCode=codes.get(name, ord(name[0])),
                      modifiers=modifiers, **(text if kind == "keyDown" else {}))

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector, modifiers=0, drag=0):
        x, y = self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}});"
                        "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in "mousePressed", "mouseMoved", "mouseReleased":
            self.call("Input.dispatchMouseEvent", type=kind, x=x if kind == "mousePressed" else x + drag, y=y,
                      button="left", clickCount=1, modifiers=modifiers, buttons=0 if kind == "mouseReleased" else 1)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
