@_exported import AuthCoreFirebaseApp
