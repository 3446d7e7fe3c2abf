import CoreDataModelCompiler
import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

/// Libraries in the manner of those that people publish for Core Data, ported, and compiled with the classes of their models.
///
/// `make soak` also builds them as packages with the plugin, in the build folder of `Scripts/check-plugin`.
struct PortedLibraryTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let libraries = ["StackKit", "RecordKit", "ImportKit", "ListKit"]

    /// A copy of a library, in a folder that stays: a build of it as a package is taken up again by the next run.
    private func copy(_ name: String) throws -> URL {
        let samples = Workshop.samples.appendingPathComponent("Libraries/\(name)")
        let package = Self.root.appendingPathComponent(".build/plugin-check/Ported/\(name)")
        try? FileManager.default.removeItem(at: package)
        for path in try FileManager.default.subpathsOfDirectory(atPath: samples.path) {
            let file = samples.appendingPathComponent(path)
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let plain = path.hasSuffix(".sample") ? String(path.dropLast(7)) : path
            try write(text.replacing("@ROOT@", with: Self.root.path), to: package.appendingPathComponent(plain))
        }
        return package
    }

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A package whose only module imports all the libraries, so that one build is one of them all.
    private func packageOfAll() throws -> URL {
        let package = Self.root.appendingPathComponent(".build/plugin-check/Ported/All")
        let dependencies = Self.libraries.map { ".package(path: \"../\($0)\")" }.joined(separator: ", ")
        let products = Self.libraries.map { ".product(name: \"\($0)\", package: \"\($0)\")" }.joined(separator: ", ")
        try write(
            """
            // swift-tools-version:5.9
            import PackageDescription

            let package = Package(
                name: "All", dependencies: [\(dependencies)],
                targets: [.executableTarget(name: "All", dependencies: [\(products)])])
            """, to: package.appendingPathComponent("Package.swift"))
        let imports = Self.libraries.map { "import \($0)\n" }.joined()
        try write(imports, to: package.appendingPathComponent("Sources/All/main.swift"))
        return package
    }

    /// Ports a library; a second run leaves nothing to do.
    private func port(_ name: String) throws -> URL {
        let package = try copy(name)
        let sources = package.appendingPathComponent("Sources")
        let port = try SourcePort(of: [sources.path])
        #expect(port.findings.isEmpty && !port.files.isEmpty, "\(name)")
        try port.write()
        let again = try SourcePort(of: [sources.path])
        #expect(again.files.isEmpty && again.findings.isEmpty, "\(name)")
        return sources
    }

    /// The library's sources and those that the build makes of its models.
    private func sources(of name: String, in folder: URL) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let made = folder.appendingPathComponent("made")
        try write(AliasSource.file.text, to: made.appendingPathComponent(AliasSource.fileName))
        // As the package manager makes it for a target with resources.
        try write(
            "import Foundation\n\nextension Bundle { static var module: Bundle { .main } }\n",
            to: made.appendingPathComponent("resource_bundle_accessor.swift"))
        for path in paths where path.hasSuffix(".xcdatamodeld") {
            let diagnostics = try ModelBuild(model: folder.appendingPathComponent(path), module: name).run(
                compiled: made.appendingPathComponent("Model.momd"),
                sources: made.appendingPathComponent("Sources"), announced: [])
            #expect(diagnostics.isEmpty, "\(name)")
        }
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            .map { folder.appendingPathComponent($0).path }
    }

    @Test(
        "libraries that were written for Apple's systems pass the compiler after port, without an edit",
        .timeLimit(.minutes(20)), arguments: libraries)
    func librariesThatWereWrittenForApplesSystemsPassCompilerAfterPort(name: String) throws {
        let modules = try #require(Toolchain.modules)
        let (code, output) = try Toolchain.run(
            "swiftc",
            ["-typecheck", "-parse-as-library", "-swift-version", "5", "-module-name", name]
                + Toolchain.flags(modules: modules) + sources(of: name, in: port(name)))
        #expect(code == 0, "\(output)")
    }

    // Long: Scripts/run-tests leaves it out by its name, Scripts/soak runs it.
    @Test(
        "libraries that were written for Apple's systems build as packages after port", .timeLimit(.minutes(60)))
    func librariesThatWereWrittenForApplesSystemsBuildAfterPort() throws {
        for name in Self.libraries { _ = try port(name) }
        let scratch = Self.root.appendingPathComponent(".build/plugin-check/build")
        // The package manager would take the plan that it made of another package for this one.
        for plan in ["debug.yaml", "plugin-tools.yaml"] {
            try? FileManager.default.removeItem(at: scratch.appendingPathComponent(plan))
        }
        let (code, output) = try Toolchain.run(
            "swift", ["build", "--package-path", packageOfAll().path, "--scratch-path", scratch.path])
        let errors = output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(code == 0, "\(Set(errors).sorted().joined(separator: "\n"))")
    }
}
