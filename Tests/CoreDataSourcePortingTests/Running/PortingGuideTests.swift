import Foundation
import TestBasics
import Testing

/// The examples of Docs/Porting.md.
@Suite struct PortingGuideTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/Porting.md")

    /// The Swift blocks of the page.
    static var examples: [String] {
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    @Test("every Swift example of the porting guide passes the compiler", .timeLimit(.minutes(20)))
    func everySwiftExampleOfPortingGuidePassesCompiler() throws {
        #expect(Self.examples.count >= 6)
        let modules = try #require(Toolchain.modules)
        for example in Self.examples {
            let workshop = try Workshop()
            defer { workshop.remove() }
            let source = try workshop.add("Example.swift", example)
            let (code, output) = try Toolchain.run(
                "swiftc",
                ["-typecheck", "-parse-as-library", "-swift-version", "6"] + Toolchain.flags(modules: modules)
                    + [source.path])
            #expect(code == 0, "\(example)\n\(output)")
        }
    }
}
