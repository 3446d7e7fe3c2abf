import CoreData
import TestBasics
import Testing

/// The code of the guides and of the README, as the compiler takes it.
@Suite(.timeLimit(.minutes(20))) struct GuideTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/Guides")

    private static let guides =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted() + ["../Errors.md", "../../README.md"]

    /// The blocks of Swift in a page, in order.
    private static func code(in page: String) -> String {
        page.components(separatedBy: "\n```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
            .joined(separator: "\n\n")
    }

    /// The modules that stand in for packages which guides connect to: they have those packages' shapes, and do nothing.
    private static let standIns = Result {
        let folder = try TemporaryFolder()
        for module in ["Logging", "Metrics", "Tracing"] {
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("StandIns/\(module).swift")
            try Toolchain.output(
                "swiftc",
                [
                    "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", module, "-o",
                    folder.url.appendingPathComponent("\(module).swiftmodule").path, source.path,
                ])
        }
        return folder
    }

    @Test("There are guides with code") func thereAreGuidesWithCode() throws { #expect(Self.guides.count >= 20) }

    @Test(
        "The code of each guide builds in Swift 6 mode, without a warning",
        .enabled(if: Toolchain.modules != nil, "the modules are not beside the tests"), arguments: guides)
    func codeOfEachGuideBuildsInSwift6Mode(guide: String) throws {
        let modules = try #require(Toolchain.modules)
        let page = try String(contentsOf: Self.folder.appendingPathComponent(guide), encoding: .utf8)
        let code = Self.code(in: page)
        try #require(!code.isEmpty)
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("main.swift")
        try Data(("import CoreData\n\n" + code).utf8).write(to: file)
        let (status, said) = try Toolchain.run(
            "swiftc",
            ["-typecheck", "-warnings-as-errors", "-swift-version", "6"] + Toolchain.flags(modules: modules)
                + SystemModules.flags(modules: modules) + ["-I", try Self.standIns.get().url.path, file.path])
        #expect(status == 0 && said.isEmpty, "\(guide): \(said)")
    }
}
