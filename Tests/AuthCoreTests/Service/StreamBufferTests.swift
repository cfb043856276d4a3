@testable import AuthCore
import XCTest

final class StreamBufferTests: XCTestCase {
    func testALongQueueIsReadInOrderWhileItIsWritten() async {
        let buffer = StreamBuffer<Int>(limit: 1000) { gap, element in gap ?? element }
        for element in 0..<200 { buffer.offer(element) }
        var read: [Int] = []
        for next in 200..<300 {
            if let element = await buffer.next() { read.append(element) }
            buffer.offer(next)
        }
        while read.count < 300, let element = await buffer.next() { read.append(element) }
        XCTAssertEqual(read, Array(0..<300))
    }
}
