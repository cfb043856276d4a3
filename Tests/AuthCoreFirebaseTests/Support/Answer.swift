import XCTest

extension XCTestCase {
    /// What a call tells its completion handler, on the main queue; throws the error that it tells.
    func answer<Value>(
        _ what: String = #function,
        _ call: (@escaping (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
        let called = expectation(description: what)
        var heard: (value: Value?, error: (any Error)?)
        call { value, error in
            XCTAssertTrue(Thread.isMainThread, "\(what) calls its handler on the main queue")
            heard = (value, error)
            called.fulfill()
        }
        await fulfillment(of: [called], timeout: 10)
        if let error = heard.error {
            XCTAssertNil(heard.value, "\(what) tells a value beside an error")
            throw error
        }
        return try XCTUnwrap(heard.value, "\(what) tells its handler nothing")
    }

    /// Waits until a call has told its completion handler that it is done; throws the error that it tells.
    func done(_ what: String = #function, _ call: (@escaping ((any Error)?) -> Void) -> Void) async throws {
        let _: Bool = try await answer(what) { heard in
            call { error in heard(error == nil ? true : nil, error) }
        }
    }

    /// The code of the error that a call tells its completion handler; nil if it tells none.
    func code(_ what: String = #function, _ call: (@escaping ((any Error)?) -> Void) -> Void) async -> Int? {
        do {
            try await done(what, call)
            return nil
        } catch {
            return (error as NSError).code
        }
    }
}
