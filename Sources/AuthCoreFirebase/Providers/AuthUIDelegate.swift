public import Foundation
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Shows and takes away the pages of providers; nothing here ever shows one.
public protocol AuthUIDelegate: NSObjectProtocol {
    #if canImport(UIKit) && !os(watchOS)
    /// Shows a page.
    func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)?)
    #endif
    /// Takes the page away.
    func dismiss(animated flag: Bool, completion: (() -> Void)?)
}
