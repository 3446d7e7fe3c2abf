import CoreData
import Testing

@Suite struct PortTests {
    private let folder: URL
    private let source = "@objc class A {}\nlet a = #keyPath(A.b)\n"

    init() throws {
        folder = try Scratch.folder()
        try Data(source.utf8).write(to: file)
    }

    private var file: URL { folder.appendingPathComponent("A.swift") }
    private var text: String { get throws { String(decoding: try Data(contentsOf: file), as: UTF8.self) } }

    @Test("port shows a difference and writes nothing; with --write it writes")
    func portShowsDifferenceAndWritesNothing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shown = try Tool.run("port", folder.path)
        #expect(shown.code == 0 && shown.errors.isEmpty)
        #expect(shown.output.contains("+#if canImport(ObjectiveC)\n"))
        #expect(shown.output.hasSuffix("1 sources, 1 to change, the rules find nothing left; build it\n"))
        #expect(try text == source)
        let written = try Tool.run("port", "--write", file.path)
        #expect(written.code == 0 && written.output.hasPrefix("written    \(file.path)\n"))
        #expect(try text == "#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {}\nlet a = \"b\"\n")
        #expect(
            try Tool.run("port", folder.path).output
                == "1 sources, 0 to change, the rules find nothing left; build it\n")
    }

    @Test("port leaves with 1 when something is left to do, with its place") func leftOver() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("let a = 1\nlet s = #selector(A.f)\n".utf8).write(to: file)
        let outcome = try Tool.run("port", folder.path)
        #expect(
            outcome.code == 1 && outcome.output.hasPrefix("\(file.path):2:9: note: no method is called by its name"))
        let json: [String: Any] = try Tool.run("port", "--json", folder.path).json()
        let findings = try #require(json["findings"] as? [[String: Any]])
        #expect(findings.map { $0["line"] as? Int } == [2] && json["sources"] as? Int == 1)
    }

    @Test("port leaves with 2 where there is nothing, or a file cannot be written")
    func portLeavesWith2WhereThereIsNothing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = try Tool.run("port", folder.appendingPathComponent("none").path)
        #expect(missing.code == 2 && missing.output.isEmpty && missing.errorLines.count == 1)
        #expect(try Tool.run("port").code == 2)
    }

    @Test("port says how to get the program that rewrites, where that is not beside it, and what another one answers")
    func withoutProgram() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let alone = folder.appendingPathComponent("bin/coredata")
        try FileManager.default.createDirectory(
            at: alone.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Tool.url, to: alone)
        let missing = try Tool.run(["port", file.path], environment: ["PATH": "/usr/bin:/bin"], program: alone)
        #expect(missing.code == 2 && missing.output.isEmpty && missing.errorLines.count == 1)
        #expect(missing.errors.contains("swift build --product coredata-port"))
        // An installation has it in a folder of its own.
        let helper = folder.appendingPathComponent("libexec/coredata/coredata-port")
        try FileManager.default.createDirectory(
            at: helper.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\necho no report\n".utf8).write(to: helper)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: helper.path)
        let other = try Tool.run(["port", file.path], environment: ["PATH": "/usr/bin:/bin"], program: alone)
        #expect(other.code == 2 && other.errors.contains("is of another version"))
        #expect(try text == source)
    }

    @Test("the tool links no library of a toolchain but those of the language")
    func toolLinksNoLibraryOfToolchainButThoseOfLanguage() throws {
        let listed = try Tool.run(["-c", "ldd \"$0\"", Tool.url.path], program: URL(fileURLWithPath: "/bin/sh"))
        try #require(listed.code == 0 && listed.output.contains("libsqlite3"))
        let names = listed.output.split(separator: "\n").compactMap { $0.split(whereSeparator: \.isWhitespace).first }
        #expect(!names.contains { $0.hasPrefix("libSwift") }, "SwiftSyntax is a library of the toolchain")
    }
}
