// The codes, the reasons and the values of claims are part of this library's interface; whoever imports it need not know
// where they are defined.
@_exported public import AuthCoreClaims
@_exported public import AuthCoreTexts
