#if os(iOS) && canImport(UIKit) && canImport(ObjectiveC)
public import Foundation
public import UIKit

// What an app's delegates pass on in case it is meant for this module, which it never is.
extension Auth {
    /// Does nothing: no URL is meant for this module.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}

    /// Stores a token of Apple's push service, which nothing uses.
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        setAPNSToken(deviceToken, type: .unknown)
    }

    /// Does nothing: no push token is needed.
    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    /// Calls the handler: no notification is meant for this module.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.noData)
    }

    /// False: no URL is meant for this module.
    public func application(
        _ application: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        canHandle(url)
    }
}
#endif
