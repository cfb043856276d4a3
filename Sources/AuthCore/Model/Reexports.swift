// Error codes, reasons, remedies, the failures of verifiers and the values of claims are part of this library's
// interface: an app that imports it need not know where they are defined.
@_exported public import AuthCoreClaims
@_exported public import AuthCoreTexts
