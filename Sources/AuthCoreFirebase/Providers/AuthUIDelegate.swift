public import Foundation
// Only with Objective-C: tests elsewhere have a module named UIKit that is not the real one.
#if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
public import UIKit
#endif

/// Presents and dismisses the pages of providers; nothing here presents one.
public protocol AuthUIDelegate: NSObjectProtocol {
    #if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
    /// Presents a page.
    func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)?)
    #endif
    /// Dismisses the page.
    func dismiss(animated flag: Bool, completion: (() -> Void)?)
}
