import XCTest

@testable import AuthCore
