import CoreDataSourcePorting
import CoreDataTestSupport
import Foundation
import Testing

/// Libraries in the manner of those that people publish for Core Data, ported and built as packages with the plugin.
///
/// They share the build folder of `Scripts/check-plugin`, so that the library itself is compiled once.
@Suite(.serialized) struct PortedLibraryTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A copy of a library, in a folder that stays: its build is taken up again by the next run.
    private func copy(_ name: String) throws -> URL {
        let samples = Workshop.samples.appendingPathComponent("Libraries/\(name)")
        let package = Self.root.appendingPathComponent(".build/plugin-check/Ported/\(name)")
        try? FileManager.default.removeItem(at: package)
        for path in try FileManager.default.subpathsOfDirectory(atPath: samples.path) {
            let file = samples.appendingPathComponent(path)
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let plain = path.hasSuffix(".sample") ? String(path.dropLast(7)) : path
            let target = package.appendingPathComponent(plain)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.replacing("@ROOT@", with: Self.root.path).utf8).write(to: target)
        }
        return package
    }

    @Test(
        "a library that was written for Apple's systems builds after port, without an edit", .timeLimit(.minutes(60)),
        arguments: ["StackKit", "RecordKit", "ImportKit", "ListKit"])
    func built(_ name: String) throws {
        let package = try copy(name)
        let port = try SourcePort(of: [package.appendingPathComponent("Sources").path])
        #expect(port.findings.isEmpty && !port.files.isEmpty)
        try port.write()
        let again = try SourcePort(of: [package.appendingPathComponent("Sources").path])
        #expect(again.files.isEmpty && again.findings.isEmpty)
        let scratch = Self.root.appendingPathComponent(".build/plugin-check/build")
        // The package manager would take the plan that it made of another package for this one.
        for plan in ["debug.yaml", "plugin-tools.yaml"] {
            try? FileManager.default.removeItem(at: scratch.appendingPathComponent(plan))
        }
        let (code, output) = try Toolchain.run(
            "swift", ["build", "--package-path", package.path, "--scratch-path", scratch.path])
        let errors = output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(code == 0, "\(Set(errors).sorted().joined(separator: "\n"))")
    }
}
