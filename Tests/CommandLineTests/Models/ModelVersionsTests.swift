import CoreData
import Testing

@Suite struct ModelVersionsTests {
    private func current(_ path: String) throws -> [String] {
        let report: [String: Any] = try Tool.run("model", "versions", path, "--format", "json").json()
        let versions = try #require(report["versions"] as? [[String: Any]])
        return versions.map { "\($0["name"] ?? "")\($0["isCurrent"] as? Bool == true ? "*" : "")" }
    }

    @Test("a version is added as a copy with equal hashes, and the current one stays (TOOL-03)")
    func versionsAreAdded() throws {
        let library = try Library()
        defer { library.remove() }
        let package = library.package.path
        #expect(try current(package) == ["Library", "Library 2*"])
        let outcome = try Tool.run("model", "versions", package, "--add", "Library 3")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("Library 3"))
        #expect(try current(package) == ["Library", "Library 2*", "Library 3"])
        #expect(try Tool.run("model", "versions", package, "--add", "Old", "--from", "Library").code == 0)
        let difference = try Tool.run("model", "diff", package, "--from", "Library", "--to", "Old")
        #expect(difference.code == 0)
    }

    @Test("the current version is set, also to an older one, and the compiler follows (TOOL-04)")
    func currentVersionIsSet() throws {
        let library = try Library()
        defer { library.remove() }
        let package = library.package.path
        #expect(try Tool.run("model", "versions", package, "--set-current", "Library").code == 0)
        #expect(try current(package) == ["Library*", "Library 2"])
        let compiled = library.folder.appendingPathComponent("L.momd")
        #expect(try Tool.run("compile", package, "-o", compiled.path).code == 0)
        #expect(try current(compiled.path) == ["Library*", "Library 2"])
        #expect(try Tool.run("model", "versions", package, "--add", "N", "--set-current", "N").code == 0)
        #expect(try current(package) == ["Library", "Library 2", "N*"])
    }

    @Test func listShowsChecksumsAndIdentifiers() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run("model", "versions", library.package.path)
        let checksum = try NSManagedObjectModel(reading: library.package).versionChecksum
        #expect(outcome.output.contains("yes      Library 2  \(checksum)         3  one\n"))
    }

    @Test("impossible names, compiled models and missing versions are refused, and nothing changes (HAZ-47)")
    func refusalsChangeNothing() throws {
        let library = try Library()
        defer { library.remove() }
        let package = library.package.path
        let compiled = library.folder.appendingPathComponent("L.momd").path
        #expect(try Tool.run("compile", package, "-o", compiled).code == 0)
        for name in ["../x", "", ".hidden", "Library", "a\u{7}"] {
            expectRefusal(try Tool.run("model", "versions", package, "--add", name))
        }
        expectRefusal(try Tool.run("model", "versions", package, "--set-current", "None"), containing: "'None'")
        expectRefusal(try Tool.run("model", "versions", package, "--add", "N", "--from", "None"), containing: "'None'")
        expectRefusal(try Tool.run("model", "versions", compiled, "--add", "N"), containing: "is not changed")
        expectRefusal(
            try Tool.run("model", "versions", library.folder.path + "/none", "--add", "N"), containing: "none")
        #expect(try Tool.run("model", "versions", package, "--from", "Library").code == 2)
        #expect(try current(package) == ["Library", "Library 2*"])
    }

    @Test func unreadableVersionsAreListedWithTheReason() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", ""), ("Bad", "<entity/>"))
        let outcome = try Tool.run("model", "versions", package)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("unreadable version 'Bad': "))
    }
}
