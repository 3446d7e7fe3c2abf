import Foundation
import TestBasics
import Testing

@Suite struct LintTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to name: String) throws -> String {
        let file = folder.url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test("lint prints ignored errors as compilers do, and exits with 1 (TEST-09)")
    func ignoredErrorsArePrinted() throws {
        let file = try write("func f() {\n    try? context.save()\n}\n", to: "A.swift")
        _ = try write("func g() throws { try context.save() }\n", to: "B.swift")
        let run = try Tool.run("lint", folder.url.path)
        #expect(run.code == 1)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("\(file):2:5: warning: the error of 'save' is ignored") == true, "\(run.output)")
        #expect(lines.last == "2 sources, 1 ignored errors")
        let json = try Tool.run("lint", folder.url.path, "--json")
        let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(json.code == 1 && (report?["findings"] as? [[String: Any]])?.first?["line"] as? Int == 2)
    }

    @Test("lint exits with 0 where nothing is found, and with 2 for a path where there is nothing (TEST-09)")
    func nothingFoundAndNothingThere() throws {
        let file = try write("func g() throws { try context.save() }\n", to: "B.swift")
        let run = try Tool.run("lint", file)
        #expect(run.code == 0 && run.output == "1 sources, 0 ignored errors\n")
        let missing = try Tool.run("lint", folder.url.path + "/Missing")
        #expect(missing.code == 2 && missing.errorLines.count == 1, "\(missing.errors)")
    }

    @Test(
        "TEST-09: the project's own sources ignore no error of a save", .enabled(if: LintTests.hasSources, "no sources")
    )
    func ownSourcesIgnoreNone() throws {
        let run = try Tool.run("lint", Self.project.appendingPathComponent("Sources/Products").path)
        #expect(run.code == 0, "\(run.output)")
    }

    private static let project: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url
    }()
    private static let hasSources = FileManager.default.fileExists(atPath: project.path + "/Sources/Products")
}
