public import Foundation
// With Objective-C only: a module that merely goes by the name of UIKit, as tests elsewhere have one, is none.
#if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
public import UIKit
#endif

/// Shows and takes away the pages of providers; nothing here ever shows one.
public protocol AuthUIDelegate: NSObjectProtocol {
    #if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
    /// Shows a page.
    func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)?)
    #endif
    /// Takes the page away.
    func dismiss(animated flag: Bool, completion: (() -> Void)?)
}
