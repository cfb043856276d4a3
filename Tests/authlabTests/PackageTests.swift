import XCTest

@testable import authlab
