@_exported import AuthCoreFirebase
