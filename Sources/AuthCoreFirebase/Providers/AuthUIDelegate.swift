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
    #else
    /// Presents a page.
    ///
    /// Its type is that of any object, because there is no `UIViewController` here. A delegate whose function takes a
    /// controller of the test's own conforms too, but a call through the protocol does not reach that function.
    func present(_ viewControllerToPresent: NSObject, animated flag: Bool, completion: (() -> Void)?)
    #endif
    /// Dismisses the page.
    func dismiss(animated flag: Bool, completion: (() -> Void)?)
}

#if !(canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS))
extension AuthUIDelegate {
    /// Shows nothing, and calls the handler.
    public func present(_ viewControllerToPresent: NSObject, animated flag: Bool, completion: (() -> Void)? = nil) {
        completion?()
    }
}
#endif
