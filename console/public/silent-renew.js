// The page that the hidden frame of a silent renewal ends on: hands its address to the page that opened the frame.
if (window.parent !== window) window.parent.postMessage(window.location.href, window.location.origin)
