import CoreData
import TestBasics
import Testing

@Suite struct InitTests {
    private static let project: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url
    }()

    private static func files(_ folder: URL) throws -> [String: String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.reduce(into: [:]) { files, path in
            let url = folder.appendingPathComponent(path)
            guard !path.hasPrefix(".build"), path != "Package.resolved", !url.hasDirectoryPath,
                try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType == .typeRegular
            else { return }
            files[path] = try String(contentsOf: url, encoding: .utf8)
        }
    }

    @Test("a new project for browsers is the example, which is built and tried as the package that it is (TOOL-15)")
    func newProjectForBrowsersIsExample() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = folder.appendingPathComponent("TemplateProject")
        let run = try Tool.run("init", made.path, "--browser", "--package", Self.project.path)
        #expect(run.code == 0 && run.output == made.path + "\n", "\(run.errors)")
        var files = try Self.files(made)
        files["Package.swift"] = files["Package.swift"]?.replacing("\"\(Self.project.path)\"", with: "\"../..\"")
        let example = try Self.files(Self.project.appendingPathComponent("Examples/TemplateProject"))
        #expect(files.keys.sorted() == example.keys.sorted())
        for (path, text) in example { #expect(files[path] == text, "\(path)") }
    }

    @Test("without a browser nothing of it is there, and the name is everywhere (TOOL-15)")
    func withoutBrowserNothing() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = folder.appendingPathComponent("Notes")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        let repository = "https://example.org/people/open-core-data.git"
        #expect(try Tool.run("init", made.path, "--package", repository).code == 0)
        let files = try Self.files(made)
        #expect(files.count == 6)
        for (path, text) in files {
            #expect(!text.contains("TemplateProject") && !text.contains("«") && !text.contains("Server"), "\(path)")
        }
        let manifest = try #require(files["Package.swift"])
        let version = try #require(try Tool.run("--version").output.split(separator: " ").last).dropLast()
        #expect(manifest.contains(".package(url: \"\(repository)\", .upToNextMinor(from: \"\(version)\"))"))
        #expect(manifest.components(separatedBy: "package: \"open-core-data\"").count == 3)
        let check = try Tool.run("model", "check", made.path + "/Sources/Model/Notes.xcdatamodeld")
        #expect(check.code == 0, "\(check.output)\(check.errors)")
    }

    @Test("a folder with something in it and a name that no module can have are refused, and nothing is made (TOOL-15)")
    func folderWithSomethingInItAndNameThatNoModule() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("file"))
        let own = try Tool.run("init", folder.path + "/../" + folder.lastPathComponent, "--package", "/p")
        #expect(own.code == 1)
        for name in ["file", "1st", "a b", "CoreData", "event", "Überblick", "a/../-x"] {
            let run = try Tool.run("init", folder.appendingPathComponent(name).path, "--package", "/p")
            #expect(run.code == 1 && run.errorLines.count == 1, "\(name): \(run.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("with --tests there is a test target that uses CoreDataTesting (TEST-01, TOOL-15)")
    func testTargetUsesTestingProduct() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = folder.appendingPathComponent("Notes")
        #expect(try Tool.run("init", made.path, "--tests", "--package", Self.project.path).code == 0)
        let files = try Self.files(made)
        #expect(files.count == 8)
        for (path, text) in files { #expect(!text.contains("«"), "\(path)") }
        let manifest = try #require(files["Package.swift"])
        #expect(manifest.contains(".product(name: \"CoreDataTesting\", package: \"OpenCoreData\")"))
        let tests = try #require(files["Tests/EventListTests.swift"])
        #expect(tests.contains("@testable import Notes") && tests.contains("TestStack(\"Notes\", in: .module"))
        #expect(
            try JSONSerialization.jsonObject(with: Data(try #require(files["Tests/Budgets.json"]).utf8))
                is [String: Any])
    }

    @Test(
        "the tests of a new project are built and pass (TEST-01, TOOL-15)",
        .enabled(if: TestSeed.isExhaustive, "in make soak"))
    func testsOfNewProjectPass() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = folder.appendingPathComponent("Notes")
        #expect(try Tool.run("init", made.path, "--tests", "--package", Self.project.path).code == 0)
        let process = Process()
        process.executableURL = try Toolchain.url("swift")
        process.arguments = ["test", "--package-path", made.path]
        var environment = ProcessInfo.processInfo.environment
        for name in environment.keys where name.hasPrefix("OPENCOREDATA_") { environment[name] = nil }
        process.environment = environment
        try process.run()
        process.waitUntilExit(within: .seconds(3_600))
        #expect(process.terminationStatus == 0)
    }

    @Test("without --package it is the package that the tool was built in (TOOL-15)")
    func ownPackage() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = folder.appendingPathComponent("Notes")
        #expect(try Tool.run("init", made.path).code == 0)
        let manifest = try String(contentsOf: made.appendingPathComponent("Package.swift"), encoding: .utf8)
        #expect(manifest.contains("path: \"\(Self.project.path)\""))
    }
}
