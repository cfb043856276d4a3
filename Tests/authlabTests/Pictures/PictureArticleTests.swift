import Foundation
import XCTest

#if canImport(FoundationXML)
import FoundationXML
#endif

@testable import authlab

/// The pictures are what the rules do today.
final class PictureArticleTests: LimitedTestCase {
    /// They are drawn once for all tests.
    private static let drawn = Task { try await Pictures.all() }

    private let folder = "Sources/AuthCore/AuthCore.docc/Resources"

    func testThePicturesAreWhatTheRulesDo() async throws {
        let pictures = try await Self.drawn.value
        XCTAssertEqual(pictures.count, 20)
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            for (name, text) in pictures {
                try Data(text.utf8).write(to: PackageFiles.root.appending(path: "\(folder)/\(name)"))
            }
        }
        for (name, text) in pictures {
            XCTAssertEqual(
                try PackageFiles.text("\(folder)/\(name)"),
                text,
                "\(name) has drifted: run WRITE_DOCUMENTS=1 swift test --filter PictureArticleTests"
            )
        }
    }

    func testEveryPictureSaysInWordsWhatItShowsAndFitsItsFrame() async throws {
        for (name, text) in try await Self.drawn.value {
            XCTAssertTrue(text.contains(#"role="img" aria-labelledby="title about""#), name)
            XCTAssertNotNil(text.firstMatch(of: #/<desc id="about">[^<]{20,}</desc>/#), name)
            let parser = XMLParser(data: Data(text.utf8))
            XCTAssertTrue(parser.parse(), "\(name) is no XML")
            for size in text.matches(of: #/font-size="(\d+)"/#) {
                XCTAssertGreaterThanOrEqual(Int(size.1) ?? 0, 12, "\(name) has small print")
            }
        }
    }

    func testTextAndItsGroundDifferEnoughInBothThemes() {
        for theme in Theme.all {
            for hue in Theme.Hue.allCases {
                XCTAssertGreaterThanOrEqual(contrast(theme.ink, theme.fill(hue)), 7, "\(theme.name) \(hue)")
            }
            for ground in [theme.background, theme.panel] {
                XCTAssertGreaterThanOrEqual(contrast(theme.dim, ground), 4.5, theme.name)
            }
        }
    }

    /// The ratio of WCAG.
    private func contrast(_ left: String, _ right: String) -> Double {
        let lights = [luminance(left), luminance(right)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    private func luminance(_ color: String) -> Double {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        let parts = [number >> 16, number >> 8 & 255, number & 255].map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
