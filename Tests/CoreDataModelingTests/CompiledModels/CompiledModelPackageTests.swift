import CoreDataModeling
import TestBasics
import Testing

@Suite struct CompiledModelPackageTests {
    private let folder: URL
    private var url: URL { folder.appendingPathComponent("Heroes.momd") }

    init() throws { folder = try Fixtures.temporaryFolder() }

    private func model(_ attributes: String...) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Hero"
        entity.properties = attributes.map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.type = .string
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("three versions become one folder that names the current one, and all of them load (MOD-34)")
    func versionsBecomeOneFolder() throws {
        let versions = ["Heroes": model("name"), "Heroes 2": model("name", "rank"), "Heroes 3": model("rank")]
        try CompiledModelPackage(versions: versions, currentVersion: "Heroes 2").write(to: url)
        #expect(try names() == ["Heroes.momd"])
        let current = try NSManagedObjectModel(reading: url)
        #expect(current.entities[0].attributesByName.keys.sorted() == ["name", "rank"])
        let information = try VersionInformation(momd: url)
        #expect(information.currentVersion == "Heroes 2")
        for (name, model) in versions {
            let read = try #require(NSManagedObjectModel(contentsOf: url.appendingPathComponent(name + ".mom")))
            #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
            #expect(information.hashesByVersion[name] == model.entityVersionHashesByName)
            #expect(information.checksumsByVersion[name] == model.versionChecksum)
        }
        #expect(try NSManagedObjectModel.checksumsForVersionedModel(at: url).count == 3)
    }

    @Test("an earlier folder is replaced with all its files (MOD-34)")
    func earlierFolderIsReplaced() throws {
        try CompiledModelPackage(versions: ["A": model("x"), "B": model("y")], currentVersion: "A").write(to: url)
        try CompiledModelPackage(versions: ["C": model("z")], currentVersion: "C").write(to: url)
        #expect(try names() == ["Heroes.momd"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() == ["C.mom", "VersionInfo.plist"])
    }

    @Test("a folder that is not a compiled model is never replaced, and a failure leaves what was there (MOD-34)")
    func otherFoldersAreLeft() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        try Data("precious".utf8).write(to: url.appendingPathComponent("notes.txt"))
        let package = try CompiledModelPackage(versions: ["A": model("x")], currentVersion: "A")
        let error = #expect(throws: ModelingError.self) { try package.write(to: url) }
        #expect(error?.code == .invalidModel)
        #expect(error?.path == url.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["notes.txt"])
        #expect(try names() == ["Heroes.momd"])
        #expect(throws: ModelingError.self) { try package.write(to: folder.appendingPathComponent("no/where.momd")) }
    }

    @Test(
        "a version must have the name of a file, and the current one must be there (MOD-34)",
        arguments: ["", "a/b", "..", ".x"])
    func impossibleNamesAreRefused(name: String) {
        #expect(throws: ModelingError.self) {
            try CompiledModelPackage(versions: [name: model("x")], currentVersion: name)
        }
        #expect(throws: ModelingError.self) {
            try CompiledModelPackage(versions: ["A": model("x")], currentVersion: "B")
        }
    }
}

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct VersionInformationFixtureTests {
    @Test("the version information of Apple's packages is written again as it was (MOD-34, MOD-36)")
    func versionInformationAgrees() throws {
        var compared = 0
        for path in FixtureSupport.paths(endingIn: ".momd") where !path.contains("freecoredata") {
            let url = Fixtures.url(path)
            let theirs = try VersionInformation(momd: url)
            var versions: [String: NSManagedObjectModel] = [:]
            for name in theirs.hashesByVersion.keys {
                versions[name] = try NSManagedObjectModel(reading: url.appendingPathComponent(name + ".mom"))
            }
            let package = try CompiledModelPackage(versions: versions, currentVersion: theirs.currentVersion)
            let written = try PropertyList(binary: try #require(try package.contents()["VersionInfo.plist"]))
            let original = try PropertyList(binary: Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")))
            for (key, value) in original.dictionary ?? [:] {
                #expect(written.dictionary?[key] == value, "\(path) \(key)")
            }
            compared += 1
        }
        #expect(compared == 4)
    }
}
