import CoreData
import Testing

@Suite struct ModelPruneTests {
    private func versions(_ package: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: package.path).filter { $0.hasSuffix(".xcdatamodel") }
            .sorted()
    }

    @Test("versions that no shipped store needs are listed, and removed on confirmation (TOOL-05)")
    func versionsThatNoShippedStoreNeedsAreListed() throws {
        let library = try Library()
        defer { library.remove() }
        let package = library.package.path
        for (name, original) in [("Between", "Library 2"), ("Copy", "Library"), ("Library 3", "Library 2")] {
            #expect(try Tool.run("model", "versions", package, "--add", name, "--from", original).code == 0)
        }
        for (name, attribute) in [("Between", "x"), ("Library 3", "y")] {
            let edit = ["model", "add", package, "attribute", "Book.\(attribute)", "type=String", "--version", name]
            #expect(try Tool.run(edit).code == 0)
        }
        #expect(try Tool.run("model", "versions", package, "--set-current", "Library 3").code == 0)
        let all = try versions(library.package)
        let prune = ["model", "versions", package, "--prune", "--stores", library.store.path]

        let listed = try Tool.run(prune + ["--dry-run"])
        #expect(listed.code == 0 && listed.output.contains("nothing was removed"))
        #expect(listed.output.contains("current") && listed.output.contains(library.store.path))
        let unasked = try Tool.run(prune)
        #expect(unasked.code == 1 && unasked.errors.contains("--yes"))
        #expect(try versions(library.package) == all)

        let json: [String: Any] = try Tool.run(prune + ["--yes", "--format", "json"]).json()
        let removed = (json["versions"] as? [[String: Any]] ?? []).filter { $0["isRemoved"] as? Bool == true }
        #expect(Set(removed.compactMap { $0["name"] as? String }) == ["Between", "Copy", "Library 2"])
        #expect(try versions(library.package) == ["Library 3.xcdatamodel", "Library.xcdatamodel"])
        #expect(try Tool.run("fetch", library.store.path, "Book", "--model", package).code == 0)
        #expect(try Tool.run(prune + ["--yes"]).output.contains("there is nothing to remove"))
    }

    @Test("a store of an unknown version, and words that do not go together, remove nothing (TOOL-05)")
    func storeOfUnknownVersion() throws {
        let library = try Library()
        defer { library.remove() }
        let package = library.package.path
        let folder = try ModelFolder()
        defer { folder.remove() }
        let other = try folder.package(
            "O.xcdatamodeld", ("O", #"<entity name="Book"/>"#), ("O 2", #"<entity name="B"/>"#))
        expectRefusal(
            try Tool.run("model", "versions", other, "--prune", "--stores", library.store.path, "--yes"),
            containing: "no version of the model has the hashes")
        expectRefusal(try Tool.run("model", "versions", package, "--prune", "--stores", "none", "--yes"))
        #expect(try Tool.run("model", "versions", package, "--prune", "--yes").code == 2)
        #expect(try Tool.run("model", "versions", package, "--yes").code == 2)
        #expect(
            try Tool.run("model", "versions", package, "--prune", "--stores", library.store.path, "--add", "X").code
                == 2)
        #expect(try versions(library.package).count == 2)
        #expect(try versions(URL(fileURLWithPath: other)).count == 2)
    }
}
